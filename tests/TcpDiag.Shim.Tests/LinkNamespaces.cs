using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Shim.Linux;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Tests;

/// <summary>Two network namespaces of this test's own, and the TUN devices that lead out of them.</summary>
[SupportedOSPlatform("linux")]
sealed class LinkNamespaces : IDisposable
{
    static int _count;

    readonly string _near;
    readonly string _far;

    public LinkNamespaces()
    {
        int number = Interlocked.Increment(ref _count);
        string id = FormattableString.Invariant($"{Environment.ProcessId % 100_000}x{number}");
        _near = $"tdn{id}";
        _far = $"tdf{id}";
        NetworkNamespace.Create(_near);
        NetworkNamespace.Create(_far);
        NearAddress = IPAddress.Parse(FormattableString.Invariant($"10.77.{number}.1"));
        FarAddress = IPAddress.Parse(FormattableString.Invariant($"10.77.{number}.2"));
        Link = new TunLink(End(_near, NearAddress), End(_far, FarAddress));
    }

    public TunLink Link { get; }

    public IPAddress NearAddress { get; }

    public IPAddress FarAddress { get; }

    public Socket NearSocket(SocketType type, ProtocolType protocol) => NewSocket(_near, type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => NewSocket(_far, type, protocol);

    public void Dispose()
    {
        Link.Dispose();
        NetworkNamespace.Delete(_near);
        NetworkNamespace.Delete(_far);
    }

    static TunEnd End(string place, IPAddress address) => new(place, "link0", IpAddress.Read(address.GetAddressBytes()), 24);

    static Socket NewSocket(string place, SocketType type, ProtocolType protocol)
    {
        Socket? socket = null;
        NetworkNamespace.Run(place, () => socket = new Socket(AddressFamily.InterNetwork, type, protocol));
        return socket!;
    }
}
