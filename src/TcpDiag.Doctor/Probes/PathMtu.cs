using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Probes;

/// <summary>What became of a packet that must not be divided.</summary>
enum EchoResult
{
    /// <summary>It came back.</summary>
    Answered,

    /// <summary>Somebody said that it is too large.</summary>
    TooBig,

    /// <summary>Nothing came.</summary>
    Nothing,

    /// <summary>This machine could not send it.</summary>
    NotSent,
}

/// <summary>Sends echo requests of a size.</summary>
interface IEchoProbe
{
    /// <summary>Sends one that must not be divided.</summary>
    /// <param name="address">Where to.</param>
    /// <param name="packetBytes">Length of the packet with its IP header.</param>
    EchoResult Send(IPAddress address, int packetBytes);

    /// <summary>Largest packet that the first link takes.</summary>
    (Message Name, int Mtu)? FirstLink(IPAddress address);
}

/// <summary>Finds the largest packet that reaches a host undivided, and whether those that do not are reported or vanish.</summary>
static class PathMtu
{
    const int SmallPacket = 68; // what every link carries (RFC 791)
    const int Precision = 16;
    const int LargestPacket = 65500 + 28; // what System.Net's Ping sends at most, with its headers; the loopback would take more
    const int TunnelRoom = 100; // what tunnels take of a packet: IPsec and GRE stay below

    public static IEnumerable<Check> Check(string host, IEchoProbe probe)
    {
        IPAddress? address = Array.Find(Dns.GetHostAddresses(host), candidate => candidate.AddressFamily is AddressFamily.InterNetwork);
        if (address is null)
        {
            return [Unknown($"{host} has no IPv4 address")];
        }

        if (probe.FirstLink(address) is not { Mtu: > SmallPacket } link)
        {
            return [Unknown("the link towards it is not known")];
        }

        return [Probe(address, link.Name, Math.Min(link.Mtu, LargestPacket), probe)];
    }

    static Check Probe(IPAddress address, Message name, int mtu, IEchoProbe probe)
    {
        if (probe.Send(address, SmallPacket) is var first and not EchoResult.Answered)
        {
            return Unknown(first is EchoResult.NotSent
                ? (Message)"echo requests (ping) need administrator's rights here, or the program ping"
                : $"{address} does not answer echo requests (ping)");
        }

        // A packet may be lost for other reasons: two of a size must fail.
        EchoResult full = Twice(probe, address, mtu);
        if (full is EchoResult.Answered)
        {
            return new(CheckIds.PathMtu, CheckResult.Fine, $"packets of {mtu} bytes, the most that {name} sends, reach {address}");
        }

        int largest = Search(probe, address, SmallPacket, mtu);
        return full is EchoResult.TooBig ? Told(address, largest, mtu) : Silent(address, name, largest, mtu);
    }

    static int Search(IEchoProbe probe, IPAddress address, int passes, int fails)
    {
        while (fails - passes > Precision)
        {
            int middle = (passes + fails) / 2;
            if (Twice(probe, address, middle) is EchoResult.Answered)
            {
                passes = middle;
            }
            else
            {
                fails = middle;
            }
        }

        return passes;
    }

    static EchoResult Twice(IEchoProbe probe, IPAddress address, int bytes) =>
        probe.Send(address, bytes) is var first && first is not EchoResult.Nothing ? first : probe.Send(address, bytes);

    static Check Told(IPAddress address, int largest, int mtu) => new(
        CheckIds.PathMtu,
        mtu - largest > TunnelRoom + Precision ? CheckResult.Note : CheckResult.Fine,
        $"packets to {address} may have about {largest} bytes instead of {mtu}, and the path says so: a tunnel, usually");

    static Check Silent(IPAddress address, Message name, int largest, int mtu)
    {
        Message found = $"packets to {address} of more than about {largest} bytes vanish without a word; {name} sends up to {mtu}";
        return new(CheckIds.PathMtu, CheckResult.Problem, found)
        {
            Remedy = OperatingSystem.IsWindows()
                ? new(
                    "Has this machine send smaller packets until somebody lets ICMP \"packet too big\" through.",
                    FormattableString.Invariant($"netsh interface ipv4 set subinterface \"{name}\" mtu={largest} store=persistent"),
                    FormattableString.Invariant($"netsh interface ipv4 set subinterface \"{name}\" mtu={mtu} store=persistent"),
                    Doer.Administrator)
                : new(
                    "Has TCP find the size that passes by itself, until somebody lets ICMP \"packet too big\" through.",
                    "sysctl -w net.ipv4.tcp_mtu_probing=1",
                    "sysctl -w net.ipv4.tcp_mtu_probing=0",
                    Doer.Administrator),
            BearsOn = [FindingIds.MtuBlackHole],
        };
    }

    static Check Unknown(Message why) => new(CheckIds.PathMtu, CheckResult.Unknown, why);
}

/// <summary>Echo requests of the system (ICMP).</summary>
sealed class EchoProbe : IEchoProbe
{
    const int HeaderBytes = 28; // IPv4 and ICMP
    const int TimeoutMilliseconds = 300;

    public EchoResult Send(IPAddress address, int packetBytes)
    {
        using var ping = new Ping();
        try
        {
            return ping.Send(address, TimeoutMilliseconds, new byte[packetBytes - HeaderBytes], new PingOptions { DontFragment = true }).Status switch
            {
                IPStatus.Success => EchoResult.Answered,
                IPStatus.PacketTooBig => EchoResult.TooBig,
                _ => EchoResult.Nothing,
            };
        }
        catch (PingException exception) when (exception.InnerException is SocketException { SocketErrorCode: SocketError.MessageSize })
        {
            // The kernel has been told before.
            return EchoResult.TooBig;
        }
        catch (PlatformNotSupportedException)
        {
            // Without rights to a raw socket, .NET asks the program ping, and it is not there.
            return EchoResult.NotSent;
        }
        catch (PingException exception) when (exception.InnerException is SocketException { SocketErrorCode: SocketError.NoBufferSpaceAvailable })
        {
            // Dropped before it left, by a full queue or by the other end of a virtual cable.
            return EchoResult.Nothing;
        }
    }

    // IP_MTU of ip(7): what the kernel thinks of the way to where a socket is connected.
    static int KernelMtu(Socket socket)
    {
        const int LevelIp = 0;
        const int OptionMtu = 14;
        byte[] value = new byte[sizeof(int)];
        return socket.GetRawSocketOption(LevelIp, OptionMtu, value) == sizeof(int) ? BitConverter.ToInt32(value) : 0;
    }

    public (Message Name, int Mtu)? FirstLink(IPAddress address)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(address, 9); // discard; nothing is sent
        IPAddress own = ((IPEndPoint)socket.LocalEndPoint!).Address;
        NetworkInterface? link = Array.Find(
            NetworkInterface.GetAllNetworkInterfaces(),
            candidate => candidate.GetIPProperties().UnicastAddresses.Any(unicast => unicast.Address.Equals(own)));
        return link?.GetIPProperties().GetIPv4Properties() is { Mtu: > 0 } properties ? ($"{link.Name}", properties.Mtu)
            : OperatingSystem.IsLinux() ? ("the first link", KernelMtu(socket))
            : null;
    }
}
