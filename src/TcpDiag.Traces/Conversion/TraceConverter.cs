using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Threading;
using TcpDiag.Traces.Filtering;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Conversion;

/// <summary>
/// Writes a trace as pcapng: packets with direction, packet id, drop verdict and comments, stack events as journal
/// entries, what a pcapng file holds besides as it is, and at the end what was counted at each interface.
/// </summary>
public sealed class TraceConverter
{
    const int MaxOptionBytes = 1 << 11;
    const int InterruptionMask = (1 << 12) - 1;

    readonly TraceReader _source;
    readonly PcapngWriter _target;
    readonly RecordMatcher _matcher;
    readonly PacketComments _comments;
    readonly List<int> _targetInterfaces = [];
    readonly List<long> _packetsAt = [];
    readonly byte[] _options = new byte[MaxOptionBytes];
    byte[] _entry = new byte[MaxOptionBytes];
    long _packets;
    long _events;
    TraceTime _latest;

    /// <summary>Creates the converter.</summary>
    /// <param name="source">Before its first record; not closed.</param>
    /// <param name="target">Where it goes; not closed.</param>
    /// <param name="filter">What is wanted.</param>
    public TraceConverter(TraceReader source, PcapngWriter target, RecordFilter filter)
    {
        ArgumentNullException.ThrowIfNull(source);
        _source = source;
        _target = target;
        _matcher = new RecordMatcher(filter, () => source.Interfaces);
        _comments = new PacketComments(source.System.WindowsBuild);
    }

    /// <summary>Whether stack events are written; a source that decodes none gives none.</summary>
    public bool WritesEvents { get; init; }

    /// <summary>Converts the whole trace.</summary>
    /// <param name="interruption">Ends the work.</param>
    /// <returns>What was written.</returns>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public ConversionResult Run(CancellationToken interruption)
    {
        var record = default(TraceRecord);
        for (long count = 0; _source.TryRead(ref record); count++)
        {
            if ((count & InterruptionMask) == 0)
            {
                interruption.ThrowIfCancellationRequested();
            }

            if (_matcher.Matches(record))
            {
                Write(ref record);
            }
        }

        WriteStatistics();
        return new ConversionResult(_packets, _events, _packetsAt.Count, _target.Length);
    }

    void Write(ref TraceRecord record)
    {
        switch (record.Kind)
        {
            case TraceRecordKind.Packet:
                WritePacket(ref record);
                break;
            case TraceRecordKind.StackEvent when WritesEvents && record.Event is { } stackEvent:
                WriteEvent(stackEvent);
                break;
            case TraceRecordKind.Block:
                WriteBlock(ref record);
                break;
            default:
                break;
        }
    }

    void WritePacket(ref TraceRecord record)
    {
        record.InterfaceIndex = TargetOf(record.InterfaceIndex);
        _latest = record.Time > _latest ? record.Time : _latest;
        _packets++;
        _packetsAt[record.InterfaceIndex]++;
        var options = new PcapngOptionWriter(_options);
        _comments.Add(record, ref options);
        _target.WritePacket(record, options.Written);
    }

    // Interfaces are written when their first packet comes, so that a filter leaves no empty ones.
    int TargetOf(int index)
    {
        while (_targetInterfaces.Count <= index)
        {
            _targetInterfaces.Add(-1);
        }

        if (_targetInterfaces[index] < 0)
        {
            _targetInterfaces[index] = _target.WriteInterface(_source.Interfaces[index]);
            _packetsAt.Add(0);
        }

        return _targetInterfaces[index];
    }

    void WriteEvent(StackEvent stackEvent)
    {
        int length = JournalEncoder.MaxLength(stackEvent);
        if (_entry.Length < length)
        {
            _entry = new byte[2 * length];
        }

        _target.WriteJournalEntry(_entry.AsSpan(0, JournalEncoder.Encode(stackEvent, _entry)));
        _events++;
    }

    void WriteBlock(ref TraceRecord record)
    {
        if (IsInterfaceStatistics(record.Data))
        {
            if (record.InterfaceIndex >= _targetInterfaces.Count || _targetInterfaces[record.InterfaceIndex] < 0)
            {
                return;
            }

            record.InterfaceIndex = _targetInterfaces[record.InterfaceIndex];
        }

        _target.WriteBlock(record);
    }

    static bool IsInterfaceStatistics(ReadOnlySpan<byte> block) =>
        BinaryPrimitives.TryReadUInt32LittleEndian(block, out uint type) && type == (uint)PcapngBlockType.InterfaceStatistics;

    // A pcapng file brings its own statistics.
    void WriteStatistics()
    {
        for (int index = 0; index < _targetInterfaces.Count && _source.Format != TraceFormat.Pcapng; index++)
        {
            if (_targetInterfaces[index] is >= 0 and int target)
            {
                _target.WriteInterfaceStatistics(target, _latest, _packetsAt[target], _source.Interfaces[index].Dropped);
            }
        }
    }
}

/// <summary>What a conversion wrote.</summary>
/// <param name="Packets">Packets.</param>
/// <param name="Events">Stack events, as journal entries.</param>
/// <param name="Interfaces">Interfaces.</param>
/// <param name="Bytes">Size of the result.</param>
public sealed record ConversionResult(long Packets, long Events, int Interfaces, long Bytes);
