using System;
using System.Net;
using System.Runtime.Versioning;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim.Tun;
using TcpDiag.Testing;
using TcpDiag.Wire;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// A network namespace with two addresses of its own whose packets to each other come by here, as WinDivert sees what Windows sends to itself: Linux hands
/// such packets over inside, but with a rule in front of the table of its own addresses it sends them through a TUN device, and takes them in from another.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class OwnEndsNetwork : IDisposable
{
    const string SenderDevice = "own0";
    const string ReceiverDevice = "own1";

    static readonly string[] Settings =
    [
        $"ip route add 10.78.0.2 dev {SenderDevice} src 10.78.0.1 table 100",
        $"ip route add 10.78.0.1 dev {ReceiverDevice} src 10.78.0.2 table 100",
        "ip rule add pref 10 iif lo lookup 100",
        "ip rule add pref 20 lookup local",
        "ip rule del pref 0",
        $"sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.{SenderDevice}.rp_filter=0 net.ipv4.conf.{ReceiverDevice}.rp_filter=0",
        $"sysctl -qw net.ipv4.conf.{SenderDevice}.accept_local=1 net.ipv4.conf.{ReceiverDevice}.accept_local=1",
        "ip link set lo up",
    ];

    public OwnEndsNetwork()
    {
        Name = FormattableString.Invariant($"tdo{Environment.ProcessId % 100_000}");
        NetworkNamespace.Create(Name);
        Link = new TunLink(new(Name, SenderDevice, Address(Sender), 32), new(Name, ReceiverDevice, Address(Receiver), 32));
        foreach (string line in Settings)
        {
            ExternalProgram.Run("ip", ["netns", "exec", Name, .. line.Split(' ')]);
        }
    }

    public string Name { get; }

    public IPAddress Sender { get; } = IPAddress.Parse("10.78.0.1");

    public IPAddress Receiver { get; } = IPAddress.Parse("10.78.0.2");

    /// <summary>Outgoing is from the sender's address to the receiver's.</summary>
    public TunLink Link { get; }

    public void Dispose()
    {
        Link.Dispose();
        NetworkNamespace.Delete(Name);
    }

    static IpAddress Address(IPAddress address) => IpAddress.Read(address.GetAddressBytes());
}
