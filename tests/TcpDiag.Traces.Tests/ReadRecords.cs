using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Tests;

/// <summary>Records as plain objects, for comparing.</summary>
static class ReadRecords
{
    public static List<ReadRecord> All(TraceReader reader)
    {
        var records = new List<ReadRecord>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            records.Add(new ReadRecord(in record));
        }

        return records;
    }
}

/// <summary>One record, copied.</summary>
sealed class ReadRecord
{
    public ReadRecord(scoped in TraceRecord record)
    {
        Kind = record.Kind;
        Time = record.Time;
        Data = record.Data.ToArray();
        InterfaceIndex = record.InterfaceIndex;
        LinkType = record.LinkType;
        OriginalLength = record.OriginalLength;
        Direction = record.Direction;
        ProcessId = record.ProcessId;
        ThreadId = record.ThreadId;
        PacketId = record.PacketId;
        PacketNumber = record.PacketNumber;
        IsDropped = record.IsDropped;
        IsRepeat = record.IsRepeat;
        Appearance = record.Appearance;
        Options = record.PcapngOptions.ToArray();
        FileOffset = record.FileOffset;
    }

    public TraceRecordKind Kind { get; }

    public TraceTime Time { get; }

    public byte[] Data { get; }

    public int InterfaceIndex { get; }

    public LinkType LinkType { get; }

    public int OriginalLength { get; }

    public PacketDirection Direction { get; }

    public uint ProcessId { get; }

    public uint ThreadId { get; }

    public ulong PacketId { get; }

    public ushort PacketNumber { get; }

    public bool IsDropped { get; }

    public bool IsRepeat { get; }

    public ushort Appearance { get; }

    public byte[] Options { get; }

    public long FileOffset { get; }
}
