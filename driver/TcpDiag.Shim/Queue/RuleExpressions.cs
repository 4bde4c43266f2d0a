using System;
using System.Buffers.Binary;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Queue;

/// <summary>Writes the expressions of an nf_tables rule: load some bytes into register 1, compare them (linux/netfilter/nf_tables.h).</summary>
static class RuleExpressions
{
    const uint Register = 1; // NFT_REG_1, 16 bytes
    const uint Equal = 0;
    const uint NotEqual = 1;
    const uint LessOrEqual = 3;
    const uint GreaterOrEqual = 5;
    const uint MetaMark = 3;
    const uint MetaInDevice = 4;
    const uint MetaOutDevice = 5;
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

    /// <summary>Goes on only with packets that pass a test; the direction is the chain's business.</summary>
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
            case PacketField.InDevice:
                Device(writer, MetaInDevice, Equal, test.First);
                break;
            case PacketField.NotInDevice:
                Device(writer, MetaInDevice, NotEqual, test.First);
                break;
            case PacketField.OutDevice:
                Device(writer, MetaOutDevice, Equal, test.First);
                break;
            case PacketField.SourcePort:
                Port(writer, 0, (ushort)test.First, (ushort)test.Last);
                break;
            case PacketField.DestinationPort:
                Port(writer, 2, (ushort)test.First, (ushort)test.Last);
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
            writer.Put(Nft.TargetName, "NFQUEUE");
            writer.Put(Nft.TargetRevision, TargetRevision);
            writer.Put(Nft.TargetInfo, info);
        }
        else
        {
            writer.PutShort(Nft.QueueNumber, queue);
            writer.PutShort(Nft.QueueTotal, QueuesOfOne);
            writer.PutShort(Nft.QueueFlags, Bypass);
        }

        End(writer, element, data);
    }

    static int Begin(NetlinkWriter writer, string name, out int data)
    {
        int element = writer.BeginNested(Nft.ListElement);
        writer.Put(Nft.ExpressionName, name);
        data = writer.BeginNested(Nft.ExpressionData);
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

    // A number of an interface is compared in host order.
    static void Device(NetlinkWriter writer, uint key, uint operation, uint index)
    {
        Meta(writer, key);
        Compare(writer, operation, BitConverter.GetBytes(index));
    }

    static void Port(NetlinkWriter writer, uint offset, ushort first, ushort last)
    {
        Span<byte> low = stackalloc byte[2];
        Span<byte> high = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(low, first);
        BinaryPrimitives.WriteUInt16BigEndian(high, last);
        Load(writer, TransportHeader, offset, 2);
        Compare(writer, GreaterOrEqual, low);
        Compare(writer, LessOrEqual, high);
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
        writer.Put(Nft.MetaRegister, Register);
        writer.Put(Nft.MetaKey, key);
        End(writer, element, data);
    }

    static void Load(NetlinkWriter writer, uint header, uint offset, uint length)
    {
        int element = Begin(writer, "payload", out int data);
        writer.Put(Nft.PayloadRegister, Register);
        writer.Put(Nft.PayloadBase, header);
        writer.Put(Nft.PayloadOffset, offset);
        writer.Put(Nft.PayloadLength, length);
        End(writer, element, data);
    }

    static void Mask(NetlinkWriter writer, ReadOnlySpan<byte> mask)
    {
        Span<byte> zero = stackalloc byte[16];
        zero.Clear();
        int element = Begin(writer, "bitwise", out int data);
        writer.Put(Nft.BitwiseSource, Register);
        writer.Put(Nft.BitwiseDestination, Register);
        writer.Put(Nft.BitwiseLength, (uint)mask.Length);
        Value(writer, Nft.BitwiseMask, mask);
        Value(writer, Nft.BitwiseXor, zero[..mask.Length]);
        End(writer, element, data);
    }

    static void Compare(NetlinkWriter writer, uint operation, ReadOnlySpan<byte> value)
    {
        int element = Begin(writer, "cmp", out int data);
        writer.Put(Nft.CompareRegister, Register);
        writer.Put(Nft.CompareOperation, operation);
        Value(writer, Nft.CompareData, value);
        End(writer, element, data);
    }

    static void Value(NetlinkWriter writer, ushort attribute, ReadOnlySpan<byte> value)
    {
        int nested = writer.BeginNested(attribute);
        writer.Put(Nft.DataValue, value);
        writer.EndNested(nested);
    }
}

/// <summary>Types of attributes (linux/netfilter/nf_tables.h, NFTA_…): what they mean depends on the attribute they are in.</summary>
static class Nft
{
    public const ushort TableName = 1;
    public const ushort TableFlags = 2;

    public const ushort ChainTable = 1;
    public const ushort ChainName = 3;
    public const ushort ChainHook = 4;
    public const ushort ChainType = 7;
    public const ushort HookNumber = 1;
    public const ushort HookPriority = 2;

    public const ushort RuleTable = 1;
    public const ushort RuleChain = 2;
    public const ushort RuleExpressions = 4;

    public const ushort ListElement = 1;
    public const ushort ExpressionName = 1;
    public const ushort ExpressionData = 2;
    public const ushort DataValue = 1;

    public const ushort MetaRegister = 1;
    public const ushort MetaKey = 2;

    public const ushort PayloadRegister = 1;
    public const ushort PayloadBase = 2;
    public const ushort PayloadOffset = 3;
    public const ushort PayloadLength = 4;

    public const ushort BitwiseSource = 1;
    public const ushort BitwiseDestination = 2;
    public const ushort BitwiseLength = 3;
    public const ushort BitwiseMask = 4;
    public const ushort BitwiseXor = 5;

    public const ushort CompareRegister = 1;
    public const ushort CompareOperation = 2;
    public const ushort CompareData = 3;

    public const ushort QueueNumber = 1;
    public const ushort QueueTotal = 2;
    public const ushort QueueFlags = 3;

    public const ushort TargetName = 1;
    public const ushort TargetRevision = 2;
    public const ushort TargetInfo = 3;
}
