using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>
/// Writes the payload of a Windows event in the layout its build has: numbers and texts by field name, both ends of the connection, 0 elsewhere.
/// </summary>
static class EventPayload
{
    const int SocketAddressLength = 16; // SOCKADDR_IN
    const int InterNetwork = 2; // AF_INET

    public static byte[] Write(EventSchema schema, IReadOnlyDictionary<string, long> numbers, Endpoint local, Endpoint remote, IReadOnlyDictionary<string,
        string> texts)
    {
        List<byte> bytes = [];
        foreach (FieldSchema field in schema.Fields)
        {
            if (field.OutType == OutType.SocketAddress)
            {
                bytes.AddRange(SocketAddress(field.Name.StartsWith("Local", StringComparison.Ordinal) ? local : remote));
            }
            else if (field.InType == InType.UnicodeString)
            {
                bytes.AddRange([.. Encoding.Unicode.GetBytes(texts.GetValueOrDefault(field.Name, string.Empty)), 0, 0]);
            }
            else
            {
                AddNumber(bytes, SizeOf(field.InType), ValueOf(field.Name, numbers));
            }
        }

        return [.. bytes];
    }

    static int SizeOf(InType type) => type switch
    {
        InType.Int8 or InType.UInt8 => 1,
        InType.Int16 or InType.UInt16 => 2,
        InType.Int64 or InType.UInt64 or InType.Pointer => 8,
        InType.Binary => 0,
        _ => 4,
    };

    static long ValueOf(string name, IReadOnlyDictionary<string, long> numbers) =>
        name.EndsWith("AddressLength", StringComparison.Ordinal) ? SocketAddressLength : numbers.GetValueOrDefault(name);

    static void AddNumber(List<byte> bytes, int size, long value)
    {
        Span<byte> number = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(number, value);
        bytes.AddRange(number[..size]);
    }

    static byte[] SocketAddress(Endpoint endpoint)
    {
        byte[] bytes = new byte[SocketAddressLength];
        bytes[0] = InterNetwork;
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(2), endpoint.Port);
        System.Net.IPAddress.Parse(endpoint.Address.ToString()).TryWriteBytes(bytes.AsSpan(4), out _);
        return bytes;
    }
}
