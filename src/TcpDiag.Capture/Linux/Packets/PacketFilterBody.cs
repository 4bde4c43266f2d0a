using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>The part of a packet filter that looks at IP and transport headers, for one place of the network header.</summary>
/// <param name="code">Takes the instructions.</param>
/// <param name="match">What to record.</param>
/// <param name="excluded">Connections to leave out.</param>
/// <param name="accept">Where packets go that are asked for.</param>
/// <param name="reject">Where all others go.</param>
sealed class PacketFilterBody(
    BpfAssembler code, TrafficMatch match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded, int accept, int reject)
{
    const int Ipv4Bits = 32;

    // RFC 791 §3.1
    const int Ipv4Fragment = 6;
    const uint FragmentOffsetBits = 0x1FFF;
    const int Ipv4Protocol = 9;
    const int Ipv4Source = 12;
    const int Ipv4Destination = 16;

    // RFC 8200 §3
    const int Ipv6NextHeader = 6;
    const int Ipv6Source = 8;
    const int Ipv6Destination = 24;
    const uint Ipv6HeaderLength = 40;

    /// <summary>A packet that is not IP: asked for only by "everything".</summary>
    public void EmitOther() => code.GoTo(match.IsEverything ? accept : reject);

    /// <summary>An IPv4 packet.</summary>
    /// <param name="network">Offset of the IP header.</param>
    public void EmitIpv4(int network)
    {
        EmitProtocol(network + Ipv4Protocol);
        EmitHosts(network + Ipv4Source, network + Ipv4Destination, isIpv4: true);
        if (NeedsPorts(isIpv4: true))
        {
            int first = code.NewLabel();
            code.LoadHalfAt(network + Ipv4Fragment);
            code.AndWith(FragmentOffsetBits);
            code.IfEqual(0, first);
            code.GoTo(match.Ports.Count > 0 ? reject : accept);
            code.Mark(first);
            code.LoadByteAt(network);
            code.AndWith(0x0F);
            code.ShiftLeftBy(2);
            code.SetIndex();
        }

        EmitTransport(network, Ipv4Source, Ipv4Destination, isIpv4: true);
    }

    /// <summary>An IPv6 packet.</summary>
    /// <param name="network">Offset of the IP header.</param>
    public void EmitIpv6(int network)
    {
        EmitProtocol(network + Ipv6NextHeader);
        EmitHosts(network + Ipv6Source, network + Ipv6Destination, isIpv4: false);
        code.SetIndexTo(Ipv6HeaderLength);
        EmitTransport(network, Ipv6Source, Ipv6Destination, isIpv4: false);
    }

    void EmitProtocol(int offset)
    {
        if (match.Protocol != TransportProtocol.Any)
        {
            code.LoadByteAt(offset);
            code.IfNotEqual((uint)match.Protocol, reject);
        }
        else if (match.Ports.Count > 0)
        {
            int isTransport = code.NewLabel();
            code.LoadByteAt(offset);
            code.IfEqual((uint)TransportProtocol.Tcp, isTransport);
            code.IfNotEqual((uint)TransportProtocol.Udp, reject);
            code.Mark(isTransport);
        }
    }

    void EmitHosts(int source, int destination, bool isIpv4)
    {
        if (match.Hosts.Count == 0)
        {
            return;
        }

        int found = code.NewLabel();
        foreach (AddressPrefix prefix in match.Hosts)
        {
            if (prefix.Address.IsIpv4 == isIpv4)
            {
                EmitPrefix(prefix, source, found);
                EmitPrefix(prefix, destination, found);
            }
        }

        code.GoTo(reject);
        code.Mark(found);
    }

    void EmitTransport(int network, int source, int destination, bool isIpv4)
    {
        EmitPorts(network);
        foreach ((Endpoint local, Endpoint remote) in excluded)
        {
            if (local.Address.IsIpv4 == isIpv4)
            {
                EmitExclusion(network, local, network + source, remote, network + destination);
                EmitExclusion(network, remote, network + source, local, network + destination);
            }
        }

        code.GoTo(accept);
    }

    void EmitPorts(int network)
    {
        if (match.Ports.Count == 0)
        {
            return;
        }

        int found = code.NewLabel();
        for (int offset = 0; offset <= 2; offset += 2)
        {
            code.LoadHalfBehindIndex(network + offset);
            foreach (PortRange range in match.Ports)
            {
                int next = code.NewLabel();
                code.IfBelow(range.First, next);
                code.IfNotAbove(range.Last, found);
                code.Mark(next);
            }
        }

        code.GoTo(reject);
        code.Mark(found);
    }

    void EmitExclusion(int network, Endpoint sender, int senderOffset, Endpoint receiver, int receiverOffset)
    {
        int bits = sender.Address.IsIpv4 ? Ipv4Bits : Ipv4Bits * 4;
        int hasSender = code.NewLabel();
        int hasBoth = code.NewLabel();
        int next = code.NewLabel();
        EmitPrefix(new(sender.Address, bits), senderOffset, hasSender);
        code.GoTo(next);
        code.Mark(hasSender);
        EmitPrefix(new(receiver.Address, bits), receiverOffset, hasBoth);
        code.GoTo(next);
        code.Mark(hasBoth);
        code.LoadHalfBehindIndex(network);
        code.IfNotEqual(sender.Port, next);
        code.LoadHalfBehindIndex(network + 2);
        code.IfEqual(receiver.Port, reject);
        code.Mark(next);
    }

    // Jumps when the address at an offset begins with the prefix; goes on when it does not.
    void EmitPrefix(AddressPrefix prefix, int offset, int found)
    {
        Span<byte> bytes = stackalloc byte[16];
        int length = prefix.Address.Write(bytes);
        int next = code.NewLabel();
        for (int word = 0; word * Ipv4Bits < prefix.Length; word++)
        {
            int bits = Math.Min(prefix.Length - (word * Ipv4Bits), Ipv4Bits);
            code.LoadWordAt(offset + (word * 4));
            if (bits < Ipv4Bits)
            {
                code.AndWith(uint.MaxValue << (Ipv4Bits - bits));
            }

            code.IfNotEqual(BinaryPrimitives.ReadUInt32BigEndian(bytes[(word * 4)..length]), next);
        }

        code.GoTo(found);
        code.Mark(next);
    }

    bool NeedsPorts(bool isIpv4)
    {
        foreach ((Endpoint local, _) in excluded)
        {
            if (local.Address.IsIpv4 == isIpv4)
            {
                return true;
            }
        }

        return match.Ports.Count > 0;
    }
}
