using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>
/// Writes payloads of Windows events in the layout of a build: numbers and texts by field name, both ends of the connection, 0 elsewhere. Its memory is used
/// again.
/// </summary>
sealed class EventPayloadWriter
{
    const int InterNetwork = 2; // AF_INET
    const int InterNetworkV6 = 23; // AF_INET6
    const int SocketAddressBytes = 16; // SOCKADDR_IN
    const int SocketAddressV6Bytes = 28; // SOCKADDR_IN6

    readonly byte[] _bytes = new byte[ushort.MaxValue];
    int _length;

    /// <summary>Writes a payload.</summary>
    /// <param name="schema">Its layout.</param>
    /// <param name="numbers">Values of numeric fields.</param>
    /// <param name="texts">Values of text fields.</param>
    /// <param name="local">This machine's end.</param>
    /// <param name="remote">The peer's end.</param>
    /// <returns>The payload; valid until the next call.</returns>
    public ReadOnlySpan<byte> Write(
        EventSchema schema, Dictionary<string, long> numbers, Dictionary<string, string> texts, Endpoint local, Endpoint remote)
    {
        _length = 0;
        foreach (FieldSchema field in schema.Fields)
        {
            if (field.OutType == OutType.SocketAddress)
            {
                AddSocketAddress(field.Name.StartsWith("Local", StringComparison.Ordinal) ? local : remote);
            }
            else if (field.InType == InType.UnicodeString)
            {
                AddText(texts.GetValueOrDefault(field.Name, string.Empty));
            }
            else
            {
                long value = field.Name.EndsWith("AddressLength", StringComparison.Ordinal) ? LengthOf(local) : numbers.GetValueOrDefault(field.Name);
                AddNumber(SizeOf(field.InType), value);
            }
        }

        return _bytes.AsSpan(0, _length);
    }

    static int SizeOf(InType type) => type switch
    {
        InType.Int8 or InType.UInt8 => 1,
        InType.Int16 or InType.UInt16 => 2,
        InType.Int64 or InType.UInt64 or InType.Pointer => 8,
        InType.Binary => 0,
        _ => 4,
    };

    static int LengthOf(Endpoint endpoint) => endpoint.Address.IsIpv4 ? SocketAddressBytes : SocketAddressV6Bytes;

    void AddNumber(int size, long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_bytes.AsSpan(_length), value);
        _length += size;
    }

    void AddText(string text)
    {
        MemoryMarshal.AsBytes(text.AsSpan()).CopyTo(_bytes.AsSpan(_length));
        _length += 2 * text.Length;
        AddNumber(sizeof(char), 0);
    }

    void AddSocketAddress(Endpoint endpoint)
    {
        int length = LengthOf(endpoint);
        bool isIpv4 = endpoint.Address.IsIpv4;
        Span<byte> bytes = _bytes.AsSpan(_length, length);
        bytes.Clear();
        bytes[0] = (byte)(isIpv4 ? InterNetwork : InterNetworkV6);
        BinaryPrimitives.WriteUInt16BigEndian(bytes[2..], endpoint.Port);
        endpoint.Address.Write(bytes[(isIpv4 ? 4 : 8)..]);
        _length += length;
    }
}
