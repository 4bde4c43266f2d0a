using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace TcpDiag.Platform.Linux;

/// <summary>
/// Walks over the messages of one netlink datagram (netlink(7), RFC 3549 §2.2), in the machine's byte order. A length that does not fit ends the
/// walk.
/// </summary>
/// <param name="datagram">The datagram.</param>
ref struct NetlinkReader(ReadOnlySpan<byte> datagram)
{
    /// <summary>Bytes of struct nlmsghdr.</summary>
    public const int HeaderLength = 16;

    /// <summary>A negative error number, then the header of the request.</summary>
    public const ushort TypeError = 2;

    /// <summary>The end of a dump.</summary>
    public const ushort TypeDone = 3;

    const int Alignment = 4;

    readonly ReadOnlySpan<byte> _datagram = datagram;
    int _offset;

    /// <summary>Type of the message read last.</summary>
    public ushort Type { get; private set; }

    /// <summary>Number of the request it answers.</summary>
    public uint Sequence { get; private set; }

    /// <summary>Reads the next message; the payload is what follows its header.</summary>
    /// <returns>False behind the last.</returns>
    public bool TryRead(out ReadOnlySpan<byte> payload)
    {
        payload = default;
        if (_offset > _datagram.Length - HeaderLength)
        {
            return false;
        }

        ReadOnlySpan<byte> rest = _datagram[_offset..];
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        if (length < HeaderLength || length > rest.Length)
        {
            return false;
        }

        Type = BinaryPrimitives.ReadUInt16LittleEndian(rest[4..]);
        Sequence = BinaryPrimitives.ReadUInt32LittleEndian(rest[8..]);
        payload = rest[HeaderLength..(int)length];
        _offset += ((int)length + Alignment - 1) & ~(Alignment - 1);
        return true;
    }
}

/// <summary>
/// Walks over netlink attributes (struct nlattr, struct rtattr): 16-bit length and type, then the value, padded to four bytes. A length that does not
/// fit ends the walk.
/// </summary>
/// <param name="bytes">Attributes one after the other.</param>
ref struct NetlinkAttributes(ReadOnlySpan<byte> bytes)
{
    const int HeaderLength = 4;

    // Without NLA_F_NESTED and NLA_F_NET_BYTEORDER.
    const ushort TypeMask = 0x3FFF;

    ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Reads the next attribute.</summary>
    /// <returns>False behind the last.</returns>
    public bool TryRead(out int type, out ReadOnlySpan<byte> value)
    {
        type = 0;
        value = default;
        if (_rest.Length < HeaderLength)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(_rest);
        if (length < HeaderLength || length > _rest.Length)
        {
            return false;
        }

        type = BinaryPrimitives.ReadUInt16LittleEndian(_rest[2..]) & TypeMask;
        value = _rest[HeaderLength..length];
        _rest = _rest[Math.Min((length + 3) & ~3, _rest.Length)..];
        return true;
    }
}

/// <summary>
/// Writes netfilter netlink messages (netlink(7), linux/netfilter/nfnetlink.h) into a buffer of fixed size: a header, then attributes padded to four
/// bytes, which may nest. Headers are in host order, the values netfilter takes in network order.
/// </summary>
sealed class NetlinkWriter
{
    public const ushort Request = 0x001;
    public const ushort Acknowledge = 0x004;
    public const ushort Dump = 0x300;
    public const ushort Create = 0x400;
    public const ushort Append = 0x800;

    const ushort Nested = 0x8000;

    readonly byte[] _buffer;
    int _message;
    int _length;
    uint _sequence;

    public NetlinkWriter(int capacity) => _buffer = new byte[capacity];

    /// <summary>The messages written since <see cref="Clear"/>.</summary>
    public ReadOnlySpan<byte> Written => _buffer.AsSpan(0, _length);

    /// <summary>The sequence number of the last message begun.</summary>
    public uint Sequence => _sequence;

    /// <summary>Writes the header of a request (struct nlmsghdr).</summary>
    /// <param name="message">The message.</param>
    /// <param name="length">Bytes of the message with its header.</param>
    /// <param name="type">What is asked for.</param>
    /// <param name="flags">Flags besides <see cref="Request"/>.</param>
    /// <param name="sequence">Comes back with the answers.</param>
    public static void WriteHeader(Span<byte> message, int length, ushort type, ushort flags, uint sequence)
    {
        message[..NetlinkReader.HeaderLength].Clear();
        BinaryPrimitives.WriteInt32LittleEndian(message, length);
        BinaryPrimitives.WriteUInt16LittleEndian(message[4..], type);
        BinaryPrimitives.WriteUInt16LittleEndian(message[6..], (ushort)(Request | flags));
        BinaryPrimitives.WriteUInt32LittleEndian(message[8..], sequence);
    }

    public void Clear() => _length = 0;

    /// <summary>Begins a message of a netfilter subsystem.</summary>
    public void Begin(ushort type, ushort flags, byte family, ushort resource)
    {
        _message = _length;
        _length += NetlinkReader.HeaderLength;
        WriteHeader(At(_message), 0, type, flags, ++_sequence);
        _buffer[_length] = family;
        _buffer[_length + 1] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(At(_length + 2), resource);
        _length += 4;
    }

    /// <summary>Ends the message begun last.</summary>
    public void End() => MemoryMarshal.Write(At(_message), _length - _message);

    /// <summary>Begins an attribute that holds others; end it with what this returns.</summary>
    public int BeginNested(ushort attribute)
    {
        int start = _length;
        MemoryMarshal.Write(At(start + 2), (ushort)(attribute | Nested));
        _length += 4;
        return start;
    }

    /// <summary>Ends a nested attribute.</summary>
    public void EndNested(int start) => MemoryMarshal.Write(At(start), (ushort)(_length - start));

    public void Put(ushort attribute, ReadOnlySpan<byte> value)
    {
        MemoryMarshal.Write(At(_length), (ushort)(4 + value.Length));
        MemoryMarshal.Write(At(_length + 2), attribute);
        value.CopyTo(At(_length + 4));
        int padded = (value.Length + 3) & ~3;
        At(_length + 4 + value.Length)[..(padded - value.Length)].Clear();
        _length += 4 + padded;
    }

    public void Put(ushort attribute, uint value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        Put(attribute, bytes);
    }

    public void PutShort(ushort attribute, ushort value)
    {
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, value);
        Put(attribute, bytes);
    }

    /// <summary>A string with the zero byte netfilter wants.</summary>
    public void Put(ushort attribute, string value) => Put(attribute, Encoding.ASCII.GetBytes(value + "\0"));

    Span<byte> At(int offset) => _buffer.AsSpan(offset);
}
