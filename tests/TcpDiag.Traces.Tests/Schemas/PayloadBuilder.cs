using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Traces.Tests.Schemas;

/// <summary>
/// Builds a payload for a schema, field by field, with a value of its own in each field; written apart from the reader so
/// that both are checked against each other.
/// </summary>
sealed class PayloadBuilder
{
    readonly List<byte> _bytes = [];

    /// <summary>The integers written, by field index.</summary>
    public Dictionary<int, long> Numbers { get; } = [];

    /// <summary>Offsets of the fields.</summary>
    public List<int> Offsets { get; } = [];

    public byte[] Bytes => [.. _bytes];

    /// <summary>Builds a payload; SOCKADDRs are 10.0.0.n:1000+n or 2001:db8::n, with n the field's index.</summary>
    public static PayloadBuilder Build(EventSchema schema, bool is64Bit, bool isIpv6 = false)
    {
        var builder = new PayloadBuilder();
        for (int i = 0; i < schema.Fields.Length; i++)
        {
            builder.Offsets.Add(builder._bytes.Count);
            builder.Write(schema, i, is64Bit, isIpv6);
        }

        return builder;
    }

    static byte[] SocketAddress(int index, bool isIpv6)
    {
        byte[] bytes = new byte[isIpv6 ? 28 : 16];
        bytes[0] = (byte)(isIpv6 ? 23 : 2);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(2), (ushort)(1000 + index));
        if (isIpv6)
        {
            ((byte[])[0x20, 0x01, 0x0D, 0xB8]).CopyTo(bytes, 8);
            bytes[23] = (byte)index;
        }
        else
        {
            ((byte[])[10, 0, 0, (byte)index]).CopyTo(bytes, 4);
        }

        return bytes;
    }

    static int LengthFor(FieldSchema field, bool isIpv6) => field.OutType switch
    {
        OutType.SocketAddress => isIpv6 ? 28 : 16,
        OutType.IpAddress => isIpv6 ? 16 : 4,
        OutType.Mac => 6,
        _ => 5,
    };

    void Write(EventSchema schema, int index, bool is64Bit, bool isIpv6)
    {
        FieldSchema field = schema.Fields[index];
        switch (field.InType)
        {
            case InType.UnicodeString:
                _bytes.AddRange(Encoding.Unicode.GetBytes($"text {index}\0"));
                return;
            case InType.AnsiString:
                _bytes.AddRange(Encoding.ASCII.GetBytes($"text {index}\0"));
                return;
            case InType.WbemSid:
                _bytes.AddRange(new byte[is64Bit ? 16 : 8]);
                _bytes[^(is64Bit ? 16 : 8)] = 1;
                _bytes.AddRange([1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0]);
                return;
            case InType.Binary:
                WriteBinary(schema, field, index, isIpv6);
                return;
            case InType.Guid:
                _bytes.AddRange(new Guid(index, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10).ToByteArray());
                return;
            case InType.Struct:
                return;
            default:
                WriteNumber(schema, field, index, is64Bit, isIpv6);
                return;
        }
    }

    void WriteBinary(EventSchema schema, FieldSchema field, int index, bool isIpv6)
    {
        int length = field.Length.Source switch
        {
            FieldLengthSource.Constant => field.Length.Value,
            FieldLengthSource.Field => (int)Numbers[field.Length.Value],
            _ => throw new InvalidOperationException($"{schema.Id} v{schema.Version} {field.Name} has no length"),
        };
        byte[] bytes = field.OutType == OutType.SocketAddress && length is 16 or 28 ? SocketAddress(index, length == 28) : new byte[length];
        if (field.OutType != OutType.SocketAddress)
        {
            bytes.AsSpan().Fill((byte)(0xA0 + index));
        }

        _bytes.AddRange(bytes);
    }

    void WriteNumber(EventSchema schema, FieldSchema field, int index, bool is64Bit, bool isIpv6)
    {
        int size = field.InType switch
        {
            InType.UInt8 or InType.Int8 => 1,
            InType.UInt16 or InType.Int16 => 2,
            InType.UInt64 or InType.Int64 or InType.FileTime => 8,
            InType.Pointer => is64Bit ? 8 : 4,
            _ => 4,
        };
        long value = size switch
        {
            1 => 0x80 + (index & 0x7F),
            2 => 0x8000 + index,
            4 => 0x8000_0000L + (index * 65537),
            _ => 0x1122_3344_0000_0000L + index,
        };
        foreach (FieldSchema other in schema.Fields)
        {
            value = other.Length == FieldLength.In(index) ? LengthFor(other, isIpv6) : value;
            value = other.Count == FieldLength.In(index) ? 0 : value;
        }

        Numbers[index] = value;
        byte[] bytes = BitConverter.GetBytes(value);
        _bytes.AddRange(bytes[..size]);
    }
}
