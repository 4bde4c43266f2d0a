using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// The part of a packet filter that looks at IP and transport headers, for one place of the network header. Each test jumps to one of two labels behind it,
/// so rules nest: <c>and</c> tries its right side where the left held, <c>or</c> where it did not, <c>not</c> swaps the two.
/// </summary>
/// <param name="code">Takes the instructions.</param>
/// <param name="match">What to record.</param>
/// <param name="excluded">Connections to leave out.</param>
/// <param name="accept">Where packets go that are asked for.</param>
/// <param name="reject">Where all others go.</param>
sealed class PacketFilterBody(
    BpfAssembler code, MatchRule match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded, int accept, int reject)
{
    // RFC 791 §3.1
    const int Ipv4Fragment = 6;
    const uint FragmentOffsetBits = 0x1FFF;

    /// <summary>A packet that is not IP: asked for only by <c>all</c>.</summary>
    public void EmitOther() => code.GoTo(match is MatchAll ? accept : reject);

    /// <summary>An IPv4 packet.</summary>
    /// <param name="network">Offset of the IP header.</param>
    public void EmitIpv4(int network)
    {
        PacketPlace place = PacketPlace.Ipv4(network);
        int withoutPorts = code.NewLabel();
        int first = code.NewLabel();
        code.LoadHalfAt(network + Ipv4Fragment);
        code.AndWith(FragmentOffsetBits);
        code.IfEqual(0, first);
        code.GoTo(withoutPorts);
        code.Mark(first);
        code.LoadByteAt(network);
        code.AndWith(0x0F);
        code.ShiftLeftBy(2);
        code.SetIndex();
        EmitTransport(place, withoutPorts);
    }

    /// <summary>An IPv6 packet.</summary>
    /// <param name="network">Offset of the IP header.</param>
    public void EmitIpv6(int network)
    {
        code.SetIndexTo(PacketPlace.Ipv6HeaderLength);
        EmitTransport(PacketPlace.Ipv6(network), code.NewLabel());
    }

    // With the length of the IP header in the index register.
    void EmitTransport(PacketPlace place, int withoutPorts)
    {
        int withPorts = code.NewLabel();
        int asked = code.NewLabel();
        code.LoadByteAt(place.Protocol);
        code.IfEqual((uint)IpProtocol.Tcp, withPorts);
        code.IfNotEqual((uint)IpProtocol.Udp, withoutPorts);
        code.Mark(withPorts);
        var filter = new RuleFilter(code, place, hasPorts: true);
        filter.Emit(match, asked, reject);
        code.Mark(asked);
        EmitExclusions(filter, place.IsIpv4);
        code.Mark(withoutPorts);
        new RuleFilter(code, place, hasPorts: false).Emit(match, accept, reject);
    }

    void EmitExclusions(RuleFilter filter, bool isIpv4)
    {
        foreach ((Endpoint local, Endpoint remote) in excluded)
        {
            if (local.Address.IsIpv4 == isIpv4)
            {
                filter.EmitConnection(local, remote, reject);
                filter.EmitConnection(remote, local, reject);
            }
        }

        code.GoTo(accept);
    }
}
