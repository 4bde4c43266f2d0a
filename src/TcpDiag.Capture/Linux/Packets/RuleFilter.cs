using System;
using System.Buffers.Binary;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>Translates a rule for packets of one family; ports are read relative to the index register, which holds the length of the IP header.</summary>
sealed class RuleFilter(BpfAssembler code, HeaderOffsets offsets, bool hasPorts)
{
    const int WordBits = 32;
    const int DestinationPort = 2;

    /// <summary>Jumps to one of two later labels, depending on a rule.</summary>
    public void Emit(MatchRule rule, int yes, int no)
    {
        if (Fold(rule) is { } holds)
        {
            code.GoTo(holds ? yes : no);
            return;
        }

        switch (rule)
        {
            case MatchAnd and:
                EmitBoth(and.Left, and.Right, yes, no);
                break;
            case MatchOr or:
                EmitEither(or.Left, or.Right, yes, no);
                break;
            case MatchNot not:
                Emit(not.Rule, no, yes);
                break;
            case MatchProtocol protocol:
                EmitProtocol(protocol.Protocol, yes, no);
                break;
            case MatchDirection direction:
                code.LoadByteAt(PacketFilter.PacketType);
                code.IfEqual(PacketFilter.PacketOutgoing, direction.IsOut ? yes : no);
                code.GoTo(direction.IsOut ? no : yes);
                break;
            case MatchHost host:
                EmitHost(host, yes, no);
                break;
            default:
                EmitPort((MatchPort)rule, yes, no);
                break;
        }
    }

    /// <summary>Jumps when a packet goes from one end of a connection to the other; goes on when it does not.</summary>
    public void EmitConnection(Endpoint sender, Endpoint receiver, int found)
    {
        int bits = offsets.IsIpv4 ? WordBits : WordBits * 4;
        int hasSender = code.NewLabel();
        int hasBoth = code.NewLabel();
        int next = code.NewLabel();
        EmitAddress(sender.Address, bits, offsets.Source, hasSender);
        code.GoTo(next);
        code.Mark(hasSender);
        EmitAddress(receiver.Address, bits, offsets.Destination, hasBoth);
        code.GoTo(next);
        code.Mark(hasBoth);
        code.LoadHalfBehindIndex(offsets.Network);
        code.IfNotEqual(sender.Port, next);
        code.LoadHalfBehindIndex(offsets.Network + DestinationPort);
        code.IfEqual(receiver.Port, found);
        code.Mark(next);
    }

    // What the address family alone decides, so that it costs no instruction; null for what depends on the packet.
    bool? Fold(MatchRule rule) => rule switch
    {
        MatchAll => true,
        MatchFamily family => family.IsIpv4 == offsets.IsIpv4,
        MatchHost host when host.Address.IsIpv4 != offsets.IsIpv4 => false,
        MatchPort when !hasPorts => false,
        MatchProcess => false,
        MatchNot not => !Fold(not.Rule),
        MatchAnd and => Fold(and.Left) & Fold(and.Right),
        MatchOr or => Fold(or.Left) | Fold(or.Right),
        _ => null,
    };

    void EmitBoth(MatchRule left, MatchRule right, int yes, int no)
    {
        int leftHolds = code.NewLabel();
        Emit(left, leftHolds, no);
        code.Mark(leftHolds);
        Emit(right, yes, no);
    }

    void EmitEither(MatchRule left, MatchRule right, int yes, int no)
    {
        int leftFails = code.NewLabel();
        Emit(left, yes, leftFails);
        code.Mark(leftFails);
        Emit(right, yes, no);
    }

    void EmitProtocol(IpProtocol protocol, int yes, int no)
    {
        code.LoadByteAt(offsets.Protocol);
        code.IfEqual((uint)protocol, yes);
        if (protocol == IpProtocol.Icmp)
        {
            code.IfEqual((uint)IpProtocol.IcmpV6, yes);
        }

        code.GoTo(no);
    }

    void EmitHost(MatchHost host, int yes, int no)
    {
        if (host.Side != MatchSide.Destination)
        {
            EmitAddress(host.Address, host.PrefixBits, offsets.Source, yes);
        }

        if (host.Side != MatchSide.Source)
        {
            EmitAddress(host.Address, host.PrefixBits, offsets.Destination, yes);
        }

        code.GoTo(no);
    }

    void EmitPort(MatchPort port, int yes, int no)
    {
        if (port.Side != MatchSide.Destination)
        {
            EmitRange(port, offsets.Network, yes);
        }

        if (port.Side != MatchSide.Source)
        {
            EmitRange(port, offsets.Network + DestinationPort, yes);
        }

        code.GoTo(no);
    }

    void EmitRange(MatchPort port, int offset, int found)
    {
        int next = code.NewLabel();
        code.LoadHalfBehindIndex(offset);
        code.IfBelow(port.First, next);
        code.IfNotAbove(port.Last, found);
        code.Mark(next);
    }

    // Jumps when the address at an offset begins with the same bits; goes on when it does not.
    void EmitAddress(IpAddress address, int prefixBits, int offset, int found)
    {
        Span<byte> bytes = stackalloc byte[16];
        int length = address.Write(bytes);
        int next = code.NewLabel();
        for (int word = 0; word * WordBits < prefixBits; word++)
        {
            uint mask = uint.MaxValue << Math.Max(WordBits - (prefixBits - (word * WordBits)), 0);
            code.LoadWordAt(offset + (word * 4));
            if (mask != uint.MaxValue)
            {
                code.AndWith(mask);
            }

            code.IfNotEqual(BinaryPrimitives.ReadUInt32BigEndian(bytes[(word * 4)..length]) & mask, next);
        }

        code.GoTo(found);
        code.Mark(next);
    }
}
