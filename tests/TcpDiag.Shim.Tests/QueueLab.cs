using System;
using System.Diagnostics;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim.Queue;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>
/// A network namespace of this test's own whose traffic goes through a packet queue: that of its loopback device, and that with a peer on a veth
/// cable.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class QueueLab : IDisposable
{
    public const string Address = "10.76.0.1";
    public const string PeerAddress = "10.76.0.2";
    public const string PeerAddress6 = "fd76::2";

    const string NearAddress6 = "fd76::1";
    const string NearLink = "02:00:00:00:76:01";
    const string FarLink = "02:00:00:00:76:02";
    const ushort Queue = 77;

    static int _count;

    readonly string _place = FormattableString.Invariant($"tdq{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");

    public QueueLab() => NetworkNamespace.Create(_place);

    string Peer => _place + "p";

    public Socket NewSocket(AddressFamily family = AddressFamily.InterNetwork) => NewSocket(family, SocketType.Dgram, ProtocolType.Udp);

    public Socket NewSocket(AddressFamily family, SocketType type, ProtocolType protocol) => NewSocket(_place, family, type, protocol);

    public Socket NewPeerSocket(AddressFamily family, SocketType type, ProtocolType protocol) => NewSocket(Peer, family, type, protocol);

    public Socket NewStream() => NewSocket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public Socket NewPeerStream() => NewPeerSocket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    /// <summary>Makes the peer, in a namespace of its own.</summary>
    public void AddPeer()
    {
        NetworkNamespace.Create(Peer);
        ExternalProgram.Run(
            "ip", "link", "add", "q0", "address", NearLink, "netns", _place, "type", "veth", "peer", "name", "q0", "address", FarLink, "netns", Peer);
        AddEnd(_place, [Address + "/24", NearAddress6 + "/64"], PeerAddress6, FarLink);
        AddEnd(Peer, [PeerAddress + "/24", PeerAddress6 + "/64"], NearAddress6, NearLink);
    }

    // The neighbour is set: asking for it over IPv6 takes a second when the question comes before the other end is ready.
    static void AddEnd(string place, string[] addresses, string neighbour, string neighbourLink)
    {
        foreach (string address in addresses)
        {
            string[] options = address.Contains(':', StringComparison.Ordinal) ? ["nodad"] : [];
            ExternalProgram.Run("ip", ["-n", place, "addr", "add", address, "dev", "q0", .. options]);
        }

        ExternalProgram.Run("ip", "-n", place, "link", "set", "q0", "up");
        ExternalProgram.Run("ip", "-n", place, "neigh", "add", neighbour, "lladdr", neighbourLink, "dev", "q0", "nud", "permanent");
    }

    /// <summary>Starts a Python program in the namespace; it ends when its standard input does.</summary>
    public Process StartPython(string script) => Process.Start(new ProcessStartInfo("ip", ["netns", "exec", _place, "python3", "-c", script])
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    })!;

    /// <summary>Runs something while packets are impaired.</summary>
    public ShimReport While(string match, string[] options, Action action, LoopbackEnd? near = null) => Run(match, options, action, isOpen: true, near);

    /// <summary>Runs something while packets are diverted but not taken; then takes what is there.</summary>
    public ShimReport WhileClosed(string match, string[] options, Action action) => Run(match, options, action, isOpen: false);

    public void Dispose()
    {
        NetworkNamespace.Delete(_place);
        NetworkNamespace.Delete(Peer);
    }

    /// <summary>Diverts what a match means to a port, from now on.</summary>
    public QueuePort Divert(MatchRule rule, LoopbackEnd? near = null)
    {
        QueuePort? port = null;
        NetworkNamespace.Run(_place, () => port = new QueuePort(Queue, rule, near));
        return port!;
    }

    ShimReport Run(string match, string[] options, Action action, bool isOpen, LoopbackEnd? near = null)
    {
        MatchRule rule = MatchParser.Parse(match);
        using QueuePort port = Divert(rule, near);
        ShimOptions settings = new() { TimeLimit = TimeSpan.FromSeconds(60), MaxPacketBytes = ushort.MaxValue };
        using LinkRun run = new(port, isOpen, rule, options, settings);
        action();
        run.Open();
        return run.Stop();
    }

    static Socket NewSocket(string place, AddressFamily family, SocketType type, ProtocolType protocol)
    {
        Socket? socket = null;
        NetworkNamespace.Run(place, () => socket = new Socket(family, type, protocol));
        return socket!;
    }
}
