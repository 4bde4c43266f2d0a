using System;
using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// Translates a match into a kernel packet filter, so that nothing else ever reaches the ring.
/// The filter returns the number of bytes to keep, which is how the snap length takes effect. One program serves
/// every interface: offsets count from the link header on Ethernet, else from the network header, which the
/// kernel can address on any link. Loopback delivers each packet twice; the outgoing copy is rejected.
/// Left out: ports in later fragments of an IP packet, and IPv6 transport behind extension headers.
/// </summary>
static class PacketFilter
{
    // Ancillary loads, linux/filter.h: SKF_AD_OFF plus a number; SKF_NET_OFF counts from the network header.
    const int AncillaryOffset = -0x1000;
    const int Protocol = AncillaryOffset;
    internal const int PacketType = AncillaryOffset + 4;
    const int HardwareType = AncillaryOffset + 28;
    const int NetworkHeader = -0x100000;

    internal const uint PacketOutgoing = 4;
    const uint HardwareEthernet = 1;
    const uint HardwareLoopback = 772;
    const int MaxInstructions = 4096; // BPF_MAXINSNS, linux/bpf_common.h
    const uint EtherTypeIpv4 = 0x0800;
    const uint EtherTypeIpv6 = 0x86DD;
    const uint EtherTypeVlan = 0x8100;
    const uint EtherTypeServiceVlan = 0x88A8;
    const int EthernetHeader = 14;
    const int VlanTag = 4;

    /// <summary>Makes the filter.</summary>
    /// <param name="match">What to record.</param>
    /// <param name="excluded">Connections to leave out: the recorder's own. Either end may be the sender.</param>
    /// <param name="snapLength">Bytes to keep of a packet, link header included.</param>
    /// <exception cref="CaptureException">The match is too long for the kernel.</exception>
    public static BpfInstruction[] Create(MatchRule match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded, int snapLength)
    {
        var code = new BpfAssembler();
        int accept = code.NewLabel();
        int reject = code.NewLabel();
        RefuseOutgoingLoopback(code, reject);
        var body = new PacketFilterBody(code, match, excluded, accept, reject);
        int otherLink = code.NewLabel();
        int ethernet = code.NewLabel();
        code.LoadHalfAt(HardwareType);
        code.IfEqual(HardwareEthernet, ethernet);
        code.IfEqual(HardwareLoopback, ethernet);
        code.GoTo(otherLink);
        code.Mark(ethernet);
        EmitEthernet(code, body);
        code.Mark(otherLink);
        code.LoadHalfAt(Protocol);
        EmitNetworks(code, body, NetworkHeader);
        code.Mark(accept);
        code.Accept((uint)snapLength);
        code.Mark(reject);
        code.Accept(0);
        BpfInstruction[] program = code.Assemble();
        return program.Length <= MaxInstructions
            ? program
            : throw new CaptureException(FormattableString.Invariant(
                $"the match takes {program.Length} instructions, a filter of the kernel {MaxInstructions} at most. Name fewer hosts and ports."));
    }

    static void RefuseOutgoingLoopback(BpfAssembler code, int reject)
    {
        int other = code.NewLabel();
        code.LoadByteAt(PacketType);
        code.IfNotEqual(PacketOutgoing, other);
        code.LoadHalfAt(HardwareType);
        code.IfEqual(HardwareLoopback, reject);
        code.Mark(other);
    }

    // A VLAN tag usually travels beside the packet; it is in the packet where the device cannot insert it.
    static void EmitEthernet(BpfAssembler code, PacketFilterBody body)
    {
        int tagged = code.NewLabel();
        code.LoadHalfAt(Protocol);
        code.IfEqual(EtherTypeVlan, tagged);
        code.IfEqual(EtherTypeServiceVlan, tagged);
        EmitNetworks(code, body, EthernetHeader);
        code.Mark(tagged);
        code.LoadHalfAt(EthernetHeader + 2);
        EmitNetworks(code, body, EthernetHeader + VlanTag);
    }

    // Expects the EtherType in the accumulator.
    static void EmitNetworks(BpfAssembler code, PacketFilterBody body, int network)
    {
        int ipv4 = code.NewLabel();
        int ipv6 = code.NewLabel();
        code.IfEqual(EtherTypeIpv4, ipv4);
        code.IfEqual(EtherTypeIpv6, ipv6);
        body.EmitOther();
        code.Mark(ipv4);
        body.EmitIpv4(network);
        code.Mark(ipv6);
        body.EmitIpv6(network);
    }
}

/// <summary>
/// The part of a packet filter that tests IP and transport headers, for one offset of the network header. Each test jumps to one of two later labels,
/// so rules nest: <c>and</c> tries its right side where the left held, <c>or</c> where it did not, <c>not</c> swaps the two.
/// </summary>
sealed class PacketFilterBody(
    BpfAssembler code, MatchRule match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded, int accept, int reject)
{
    // RFC 791 §3.1
    const int Ipv4Fragment = 6;
    const uint FragmentOffsetBits = 0x1FFF;

    /// <summary>A packet that is not IP: matched only by <c>all</c>.</summary>
    public void EmitOther() => code.GoTo(match is MatchAll ? accept : reject);

    /// <summary>An IPv4 packet.</summary>
    public void EmitIpv4(int network)
    {
        HeaderOffsets offsets = HeaderOffsets.Ipv4(network);
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
        EmitTransport(offsets, withoutPorts);
    }

    /// <summary>An IPv6 packet.</summary>
    public void EmitIpv6(int network)
    {
        code.SetIndexTo(HeaderOffsets.Ipv6HeaderLength);
        EmitTransport(HeaderOffsets.Ipv6(network), code.NewLabel());
    }

    // With the length of the IP header in the index register.
    void EmitTransport(HeaderOffsets offsets, int withoutPorts)
    {
        int withPorts = code.NewLabel();
        int asked = code.NewLabel();
        code.LoadByteAt(offsets.Protocol);
        code.IfEqual((uint)IpProtocol.Tcp, withPorts);
        code.IfNotEqual((uint)IpProtocol.Udp, withoutPorts);
        code.Mark(withPorts);
        var filter = new RuleFilter(code, offsets, hasPorts: true);
        filter.Emit(match, asked, reject);
        code.Mark(asked);
        EmitExclusions(filter, offsets.IsIpv4);
        code.Mark(withoutPorts);
        new RuleFilter(code, offsets, hasPorts: false).Emit(match, accept, reject);
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

/// <summary>Offsets of the fields of an IP header in a packet filter.</summary>
readonly record struct HeaderOffsets(bool IsIpv4, int Network, int Protocol, int Source, int Destination)
{
    /// <summary>Bytes of an IPv6 header without extensions (RFC 8200 §3).</summary>
    public const uint Ipv6HeaderLength = 40;

    /// <summary>An IPv4 header (RFC 791 §3.1).</summary>
    public static HeaderOffsets Ipv4(int network) => new(true, network, network + 9, network + 12, network + 16);

    /// <summary>An IPv6 header (RFC 8200 §3).</summary>
    public static HeaderOffsets Ipv6(int network) => new(false, network, network + 6, network + 8, network + 24);
}
