using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;

namespace TcpDiag.Shim.Netlink;

/// <summary>
/// Writes netfilter netlink messages (netlink(7), linux/netfilter/nfnetlink.h) into a buffer of fixed size: a header, then attributes padded to four bytes, which may
/// nest. Headers are in host order, the values netfilter takes in network order.
/// </summary>
sealed class NetlinkWriter
{
    public const ushort Request = 0x001;
    public const ushort Acknowledge = 0x004;
    public const ushort Create = 0x400;
    public const ushort Append = 0x800;

    const int HeaderBytes = 16;
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

    /// <summary>Starts over.</summary>
    public void Clear() => _length = 0;

    /// <summary>Begins a message of a netfilter subsystem.</summary>
    public void Begin(ushort type, ushort flags, byte family, ushort resource)
    {
        _message = _length;
        _length += HeaderBytes;
        MemoryMarshal.Write(At(_message + 4), type);
        MemoryMarshal.Write(At(_message + 6), (ushort)(flags | Request));
        MemoryMarshal.Write(At(_message + 8), ++_sequence);
        MemoryMarshal.Write(At(_message + 12), 0);
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
