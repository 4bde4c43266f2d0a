using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Counts per kind of record in an open-addressing hash table whose keys are words of the record headers, unchanged:
/// the 16 bytes of the GUID, and id, version and family in a third word. Kernel records have no GUID; their group takes its place.
/// </summary>
sealed class EtlEventTable : IEtlBufferVisitor
{
    const int FirstCapacity = 1024;

    // 40 bytes each: what a hostile file can claim ends at 40 MB a thread.
    const int MaxCapacity = 1 << 20;

    // Odd multipliers with well mixed bits (golden ratio, and two primes of xxHash64); the high bits of the sum are used.
    const ulong MixLow = 0x9E37_79B9_7F4A_7C15;
    const ulong MixHigh = 0xC2B2_AE3D_27D4_EB4F;
    const ulong MixKind = 0x1656_67B1_9E37_79F9;

    const int FamilyShift = 24;
    const int VersionShift = 16;

    Slot[] _slots = new Slot[FirstCapacity];
    int _shift = 64 - BitOperations.Log2(FirstCapacity);
    int _used;

    /// <summary>Records counted.</summary>
    internal long Records { get; private set; }

    /// <summary>Records left out because the table is full.</summary>
    internal long Uncounted { get; private set; }

    /// <summary>Lowest first time stamp of a buffer.</summary>
    internal long FirstTicks { get; private set; } = long.MaxValue;

    /// <summary>Highest last time stamp of a buffer.</summary>
    internal long LastTicks { get; private set; } = long.MinValue;

    /// <summary>Counts the records of a buffer that was just loaded.</summary>
    internal void Count(EtlBuffer buffer)
    {
        do
        {
            ReadOnlySpan<byte> records = buffer.Rest;
            int end = CountRecords(records, out int last);
            if (last >= 0)
            {
                FirstTicks = Math.Min(FirstTicks, EtlRecordLayout.ReadTicks(records, buffer.Entry.FirstTicks));
                LastTicks = Math.Max(LastTicks, EtlRecordLayout.ReadTicks(records[last..], buffer.Entry.FirstTicks));
            }

            buffer.Seek(buffer.Position + end, buffer.Entry.FirstTicks);
        }
        while (buffer.TryStepOverDamage());
    }

    /// <inheritdoc/>
    void IEtlBufferVisitor.Visit(EtlBuffer buffer, int index) => Count(buffer);

    /// <summary>Adds the counts of another table.</summary>
    internal void Add(EtlEventTable other)
    {
        Records += other.Records;
        Uncounted += other.Uncounted;
        FirstTicks = Math.Min(FirstTicks, other.FirstTicks);
        LastTicks = Math.Max(LastTicks, other.LastTicks);
        foreach (ref readonly Slot slot in other._slots.AsSpan())
        {
            if (slot.Count != 0)
            {
                Add(slot.Low, slot.High, slot.Kind, slot.Count);
            }
        }
    }

    /// <summary>The counts, in no order.</summary>
    internal List<EtlEventCount> ToList()
    {
        var counts = new List<EtlEventCount>(_used);
        foreach (ref readonly Slot slot in _slots.AsSpan())
        {
            if (slot.Count != 0)
            {
                counts.Add(Describe(slot));
            }
        }

        return counts;
    }

    // Compiled in full at once: the run of a command is over before the runtime would think of it.
    // Returns where the records end or something is no record; last is the start of the last record, or -1.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    int CountRecords(ReadOnlySpan<byte> records, out int last)
    {
        last = -1;
        int position = 0;
        while (records.Length - position >= 8)
        {
            ReadOnlySpan<byte> record = records[position..];
            uint marker = BinaryPrimitives.ReadUInt32LittleEndian(record);
            int size = (ushort)marker;
            if ((marker & 0xFFFE_0000) == 0xC012_0000 && size >= EtlRecordLayout.EventHeaderLength && size <= record.Length)
            {
                uint kind = BinaryPrimitives.ReadUInt32LittleEndian(record[0x28..]) & 0xFF_FFFF;
                Add(
                    BinaryPrimitives.ReadUInt64LittleEndian(record[0x18..]),
                    BinaryPrimitives.ReadUInt64LittleEndian(record[0x20..]),
                    kind | ((uint)EtlHeaderType.Event << FamilyShift),
                    1);
            }
            else
            {
                size = CountOther(record);
                if (size == 0)
                {
                    return position;
                }
            }

            Records++;
            last = position;
            position += EtlRecordLayout.Align8(size);
        }

        return Math.Min(position, records.Length);
    }

    int CountOther(ReadOnlySpan<byte> source)
    {
        var record = default(EtlRecord);
        if (!EtlRecordLayout.TryParse(source, ref record))
        {
            return 0;
        }

        uint id = record.IsClassic ? record.Opcode : record.Id;
        uint kind = id | ((uint)record.Version << VersionShift) | ((uint)record.HeaderType << FamilyShift);
        ulong low = record.Group;
        ulong high = 0;
        if (record.HeaderType is EtlHeaderType.Full or EtlHeaderType.Instance or EtlHeaderType.Message)
        {
            Span<byte> guid = stackalloc byte[16];
            record.Provider.TryWriteBytes(guid);
            low = BinaryPrimitives.ReadUInt64LittleEndian(guid);
            high = BinaryPrimitives.ReadUInt64LittleEndian(guid[8..]);
        }

        Add(low, high, kind, 1);
        return record.Bytes.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Add(ulong low, ulong high, uint kind, long count)
    {
        ulong hash = unchecked((low * MixLow) + (high * MixHigh) + (kind * MixKind));
        uint index = (uint)(hash >> _shift);
        ref Slot slot = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_slots), index);
        if (slot.Low == low && slot.High == high && slot.Kind == kind && slot.Count != 0)
        {
            slot.Count += count;
            return;
        }

        AddElsewhere(index, low, high, kind, count);
    }

    void AddElsewhere(uint index, ulong low, ulong high, uint kind, long count)
    {
        while (_slots[index].Count != 0)
        {
            ref Slot slot = ref _slots[index];
            if (slot.Low == low && slot.High == high && slot.Kind == kind)
            {
                slot.Count += count;
                return;
            }

            index = (index + 1) & (uint)(_slots.Length - 1);
        }

        if (_used < _slots.Length / 2)
        {
            _slots[index] = new Slot { Low = low, High = high, Kind = kind, Count = count };
            _used++;
        }
        else if (_slots.Length < MaxCapacity)
        {
            Grow();
            Add(low, high, kind, count);
        }
        else
        {
            Uncounted += count;
        }
    }

    void Grow()
    {
        Slot[] old = _slots;
        _slots = new Slot[old.Length * 2];
        _shift--;
        _used = 0;
        foreach (ref readonly Slot slot in old.AsSpan())
        {
            if (slot.Count != 0)
            {
                Add(slot.Low, slot.High, slot.Kind, slot.Count);
            }
        }
    }

    static EtlEventCount Describe(in Slot slot)
    {
        var family = (EtlHeaderType)(slot.Kind >> FamilyShift);
        var id = (ushort)slot.Kind;
        var version = (byte)(slot.Kind >> VersionShift);
        if (family is EtlHeaderType.System or EtlHeaderType.Compact or EtlHeaderType.PerfInfo)
        {
            var group = (byte)slot.Low;
            return new EtlEventCount(family, EtlKernelGroups.ClassOf(group, (byte)id), group, id, version, slot.Count);
        }

        Span<byte> guid = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(guid, slot.Low);
        BinaryPrimitives.WriteUInt64LittleEndian(guid[8..], slot.High);
        return new EtlEventCount(family, new Guid(guid), 0, id, version, slot.Count);
    }

    struct Slot
    {
        internal ulong Low;
        internal ulong High;
        internal long Count;
        internal uint Kind;
    }
}
