using System;
using System.Buffers.Binary;
using TcpDiag.Shim.Netlink;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Queue;

/// <summary>Writes the expressions of an nf_tables rule: load some bytes into register 1, compare them (linux/netfilter/nf_tables.h).</summary>
static class RuleExpressions
{
    const uint Register = 1; // NFT_REG_1, 16 bytes
    const uint Equal = 0;
    const uint NotEqual = 1;
    const uint AtMost = 3;
    const uint AtLeast = 5;
    const uint MetaMark = 3;
    const uint MetaFamily = 15;
    const uint MetaProtocol = 16;
    const uint NetworkHeader = 1;
    const uint TransportHeader = 2;
    const ushort QueuesOfOne = 1;
    const ushort Bypass = 1;
    const uint TargetRevision = 3;
    const byte Ipv4 = 2;
    const byte Ipv6 = 10;

    /// <summary>Goes on only with packets that do not carry a mark.</summary>
    public static void MarkDiffers(NetlinkWriter writer, uint mark)
    {
        Meta(writer, MetaMark);

        // A mark is compared in host order.
        Compare(writer, NotEqual, BitConverter.GetBytes(mark));
    }

    /// <summary>Goes on only with packets that pass a test; the hook is the chain's business.</summary>
    public static void Test(NetlinkWriter writer, in PacketTest test)
    {
        switch (test.Field)
        {
            case PacketField.Protocol:
                Meta(writer, MetaProtocol);
                Compare(writer, Equal, [(byte)test.First]);
                break;
            case PacketField.Family:
                Family(writer, (byte)test.First);
                break;
            case PacketField.SourcePort:
                Port(writer, 0, test.First, test.Last);
                break;
            case PacketField.DestinationPort:
                Port(writer, 2, test.First, test.Last);
                break;
            case PacketField.SourceAddress:
                Address(writer, test.Address, test.PrefixBits, isSource: true);
                break;
            case PacketField.DestinationAddress:
                Address(writer, test.Address, test.PrefixBits, isSource: false);
                break;
            default:
                break;
        }
    }

    /// <summary>Sends the packet to a queue, or past it while nobody listens.</summary>
    public static void Queue(NetlinkWriter writer, ushort queue, bool asTarget)
    {
        int element = Begin(writer, asTarget ? "target" : "queue", out int data);
        if (asTarget)
        {
            // struct xt_NFQ_info_v3, padded to eight bytes, in host order.
            Span<byte> info = stackalloc byte[8];
            info.Clear();
            BitConverter.TryWriteBytes(info, queue);
            BitConverter.TryWriteBytes(info[2..], QueuesOfOne);
            BitConverter.TryWriteBytes(info[4..], Bypass);
            writer.Put(1, "NFQUEUE");
            writer.Put(2, TargetRevision);
            writer.Put(3, info);
        }
        else
        {
            writer.PutShort(1, queue);
            writer.PutShort(2, QueuesOfOne);
            writer.PutShort(3, Bypass);
        }

        End(writer, element, data);
    }

    static int Begin(NetlinkWriter writer, string name, out int data)
    {
        int element = writer.BeginNested(1);
        writer.Put(1, name);
        data = writer.BeginNested(2);
        return element;
    }

    static void End(NetlinkWriter writer, int element, int data)
    {
        writer.EndNested(data);
        writer.EndNested(element);
    }

    static void Family(NetlinkWriter writer, byte family)
    {
        Meta(writer, MetaFamily);
        Compare(writer, Equal, [family]);
    }

    static void Port(NetlinkWriter writer, uint offset, ushort first, ushort last)
    {
        Span<byte> low = stackalloc byte[2];
        Span<byte> high = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(low, first);
        BinaryPrimitives.WriteUInt16BigEndian(high, last);
        Load(writer, TransportHeader, offset, 2);
        Compare(writer, AtLeast, low);
        Compare(writer, AtMost, high);
    }

    static void Address(NetlinkWriter writer, IpAddress address, int prefixBits, bool isSource)
    {
        Span<byte> value = stackalloc byte[16];
        Span<byte> mask = stackalloc byte[16];
        int length = address.Write(value);
        for (int i = 0; i < length; i++)
        {
            mask[i] = (byte)(0xFF00 >> Math.Clamp(prefixBits - (8 * i), 0, 8));
            value[i] &= mask[i];
        }

        bool isIpv4 = address.IsIpv4;
        Family(writer, isIpv4 ? Ipv4 : Ipv6);
        uint source = isIpv4 ? 12u : 8u;
        Load(writer, NetworkHeader, isSource ? source : source + (uint)length, (uint)length);
        Mask(writer, mask[..length]);
        Compare(writer, Equal, value[..length]);
    }

    static void Meta(NetlinkWriter writer, uint key)
    {
        int element = Begin(writer, "meta", out int data);
        writer.Put(1, Register);
        writer.Put(2, key);
        End(writer, element, data);
    }

    static void Load(NetlinkWriter writer, uint header, uint offset, uint length)
    {
        int element = Begin(writer, "payload", out int data);
        writer.Put(1, Register);
        writer.Put(2, header);
        writer.Put(3, offset);
        writer.Put(4, length);
        End(writer, element, data);
    }

    static void Mask(NetlinkWriter writer, ReadOnlySpan<byte> mask)
    {
        Span<byte> zero = stackalloc byte[16];
        zero.Clear();
        int element = Begin(writer, "bitwise", out int data);
        writer.Put(1, Register);
        writer.Put(2, Register);
        writer.Put(3, (uint)mask.Length);
        Value(writer, 4, mask);
        Value(writer, 5, zero[..mask.Length]);
        End(writer, element, data);
    }

    static void Compare(NetlinkWriter writer, uint operation, ReadOnlySpan<byte> value)
    {
        int element = Begin(writer, "cmp", out int data);
        writer.Put(1, Register);
        writer.Put(2, operation);
        Value(writer, 3, value);
        End(writer, element, data);
    }

    static void Value(NetlinkWriter writer, ushort attribute, ReadOnlySpan<byte> value)
    {
        int nested = writer.BeginNested(attribute);
        writer.Put(1, value);
        writer.EndNested(nested);
    }
}
