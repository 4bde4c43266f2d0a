using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Tests.EtlPackets;

/// <summary>Builds one event record, header and payload, byte by byte (docs/formats/etl.md, "EVENT").</summary>
sealed class EventBytes(Guid provider, ushort id)
{
    const int HeaderLength = 0x50;

    readonly List<byte> _payload = [];
    ulong _keywords;
    uint _processId = 4;
    uint _threadId = 8;
    long _ticks;
    int _processor;
    bool _is64Bit = true;

    public static EventBytes Ndis(ushort id, ulong keywords) =>
        new EventBytes(new Guid("2ed6006e-4729-4609-b423-3ee7bcd678ef"), id).Keywords(keywords);

    public static EventBytes PktMon(ushort id) => new(new Guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac"), id);

    public static EventBytes NdisWan(ushort id) => new(new Guid("d84521f7-2235-4237-a7c0-14e3a9676286"), id);

    public EventBytes Keywords(ulong keywords) => With(() => _keywords = keywords);

    public EventBytes Process(uint process, uint thread) => With(() => (_processId, _threadId) = (process, thread));

    public EventBytes At(long ticks, int processor = 0) => With(() => (_ticks, _processor) = (ticks, processor));

    public EventBytes As32Bit() => With(() => _is64Bit = false);

    public EventBytes U16(params ushort[] values)
    {
        foreach (ushort value in values)
        {
            _payload.AddRange([(byte)value, (byte)(value >> 8)]);
        }

        return this;
    }

    public EventBytes U32(params uint[] values)
    {
        foreach (uint value in values)
        {
            U16((ushort)value, (ushort)(value >> 16));
        }

        return this;
    }

    public EventBytes U64(params ulong[] values)
    {
        foreach (ulong value in values)
        {
            U32((uint)value, (uint)(value >> 32));
        }

        return this;
    }

    public EventBytes Text(string text) => With(() => _payload.AddRange(Encoding.Unicode.GetBytes(text + "\0")));

    public EventBytes Bytes(ReadOnlySpan<byte> bytes)
    {
        _payload.AddRange(bytes);
        return this;
    }

    public byte[] Build()
    {
        byte[] record = new byte[HeaderLength + _payload.Count];
        BinaryPrimitives.WriteUInt16LittleEndian(record, (ushort)record.Length);
        record[2] = (byte)(_is64Bit ? 0x13 : 0x12);
        record[3] = 0xC0;
        BinaryPrimitives.WriteUInt32LittleEndian(record.AsSpan(0x08), _threadId);
        BinaryPrimitives.WriteUInt32LittleEndian(record.AsSpan(0x0C), _processId);
        BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(0x10), _ticks);
        provider.TryWriteBytes(record.AsSpan(0x18));
        BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(0x28), id);
        BinaryPrimitives.WriteUInt64LittleEndian(record.AsSpan(0x30), _keywords);
        _payload.CopyTo(record, HeaderLength);
        return record;
    }

    /// <summary>The record as a view on its bytes, as a cursor would give it.</summary>
    public EtlRecord Parse()
    {
        var record = new EtlRecord { Processor = _processor };
        if (!EtlRecord.TryParse(Build(), ref record))
        {
            throw new InvalidOperationException("the built record does not parse");
        }

        return record;
    }

    EventBytes With(Action change)
    {
        change();
        return this;
    }
}
