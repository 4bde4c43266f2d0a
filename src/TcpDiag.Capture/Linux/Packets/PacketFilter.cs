using System;
using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// Translates a match into the kernel's packet filter, so that nothing else ever reaches the ring.
/// What the filter returns is the number of bytes kept, which is how the snap length takes effect. One program serves
/// every interface: offsets count from the link header where it is Ethernet, else from the network header, which the
/// kernel can address for any link. Loopback shows each packet twice; the outgoing copy is refused.
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
    /// <returns>The program.</returns>
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
            : throw new CaptureException(FormattableString.Invariant($"the match takes {program.Length} instructions, a filter of the kernel {MaxInstructions} at most. Name fewer hosts and ports."));
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

    // A VLAN tag usually travels beside the packet; it stands in it where the device cannot insert it.
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
