using System;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform.Linux;
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

    readonly bool _isIpv6;

    public LinkNamespaces(bool isIpv6)
    {
        _isIpv6 = isIpv6;
        int number = Interlocked.Increment(ref _count);
        string id = FormattableString.Invariant($"{Environment.ProcessId % 100_000}x{number}");
        _near = $"tdn{id}";
        _far = $"tdf{id}";
        NetworkNamespace.Create(_near);
        NetworkNamespace.Create(_far);
        string network = isIpv6 ? FormattableString.Invariant($"fd77:0:0:{number:x}::") : FormattableString.Invariant($"10.77.{number}.");
        NearAddress = IPAddress.Parse(network + "1");
        FarAddress = IPAddress.Parse(network + "2");
        Link = new TunLink(End(_near, NearAddress), End(_far, FarAddress));
    }

    public TunLink Link { get; }

    public string NearName => _near;

    public string FarName => _far;

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

    TunEnd End(string place, IPAddress address) => new(place, "link0", IpAddress.Read(address.GetAddressBytes()), _isIpv6 ? 64 : 24);

    Socket NewSocket(string place, SocketType type, ProtocolType protocol)
    {
        Socket? socket = null;
        NetworkNamespace.Run(place, () => socket = new Socket(NearAddress.AddressFamily, type, protocol));
        return socket!;
    }
}
