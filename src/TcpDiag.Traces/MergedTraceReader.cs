using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Traces;

/// <summary>
/// Several traces as one, by a streaming merge: of each trace one record is held back, and the earliest one is handed out.
/// Within a trace the order stays as it is; at equal times the trace named first goes first.
/// </summary>
sealed class MergedTraceReader : TraceReader
{
    readonly List<MergeSource> _sources;
    readonly List<TraceInterface> _interfaces = [];

    // Sources that have a record, the next one first (ordered by time, then by position).
    readonly PriorityQueue<MergeSource, (long TimeNanos, int Position)> _queue = new();
    MergeSource? _current;
    bool _isStarted;

    /// <summary>Takes over readers.</summary>
    /// <param name="readers">Not read from yet; closed with this one.</param>
    /// <param name="path">The first file as the user named it.</param>
    public MergedTraceReader(IReadOnlyList<TraceReader> readers, string path)
    {
        _sources = [.. readers.Select((reader, position) => new MergeSource(reader, position, _interfaces))];
        Path = path;
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override TraceFormat Format => _sources[0].Reader.Format;

    /// <inheritdoc/>
    public override IReadOnlyList<TraceInterface> Interfaces => _interfaces;

    /// <inheritdoc/>
    public override SystemFacts System => _sources[0].Reader.System.With(Sum(facts => facts.LostEvents), Sum(facts => facts.LostBuffers), LossSpans());

    /// <inheritdoc/>
    public override IReadOnlyList<TraceProblem> Problems =>
        [.. _sources.SelectMany(source => source.Reader.Problems.Select(problem => problem with { Message = $"{source.Reader.Path}: {problem.Message}" }))];

    /// <inheritdoc/>
    public override long RecordsRead => _sources.Sum(source => source.Reader.RecordsRead);

    /// <inheritdoc/>
    public override double? ShareRead => _sources.Average(source => source.Reader.ShareRead);

    /// <inheritdoc/>
    public override bool TryRead(ref TraceRecord record)
    {
        Refill();
        if (!_queue.TryDequeue(out _current, out _))
        {
            return false;
        }

        _current.Pending.CopyTo(ref record);
        return true;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _sources.ForEach(source => source.Reader.Dispose());

    // Known as soon as each trace that lost something knows.
    List<LossSpan>? LossSpans()
    {
        SystemFacts[] losing = [.. _sources.Select(source => source.Reader.System).Where(facts => facts.LostEvents > 0 || facts.LostBuffers > 0)];
        return losing.Length > 0 && losing.All(facts => facts.LossSpans is not null) ? [.. losing.SelectMany(facts => facts.LossSpans!)] : null;
    }

    long? Sum(Func<SystemFacts, long?> select) =>
        _sources.Select(source => select(source.Reader.System)).Aggregate((long?)null, (sum, one) => one is null ? sum : (sum ?? 0) + one);

    // A source is read on only now: what it handed out before was valid until this call.
    void Refill()
    {
        if (!_isStarted)
        {
            _isStarted = true;
            _sources.ForEach(Enqueue);
        }
        else if (_current is not null)
        {
            Enqueue(_current);
        }
    }

    void Enqueue(MergeSource source)
    {
        if (source.TryRead())
        {
            _queue.Enqueue(source, (source.Pending.Time.Nanoseconds, source.Position));
        }
    }
}

/// <summary>One trace of a merge: its reader, the record held back, and its interfaces under their new numbers.</summary>
/// <param name="reader">The reader.</param>
/// <param name="position">Its position among the traces.</param>
/// <param name="merged">Interfaces of the merge; those of this trace are added as they are met.</param>
sealed class MergeSource(TraceReader reader, int position, List<TraceInterface> merged)
{
    // Interfaces of the merge, by their number in this trace.
    readonly List<TraceInterface> _interfaces = [];

    public TraceReader Reader => reader;

    /// <summary>Position among the traces.</summary>
    public int Position => position;

    /// <summary>The record held back.</summary>
    public HeldRecord Pending { get; } = new();

    /// <summary>Reads the next record into <see cref="Pending"/>.</summary>
    public bool TryRead()
    {
        var record = default(TraceRecord);
        if (!reader.TryRead(ref record))
        {
            UpdateInterfaces();
            return false;
        }

        // What is known of interfaces changes with new ones and with blocks; packets are counted here.
        if (_interfaces.Count < reader.Interfaces.Count || record.Kind == TraceRecordKind.Block)
        {
            UpdateInterfaces();
        }

        if (record.Kind == TraceRecordKind.Packet)
        {
            TraceInterface source = _interfaces[record.InterfaceIndex];
            source.Packets = reader.Interfaces[record.InterfaceIndex].Packets;
            record.InterfaceIndex = source.Index;
        }
        else if (record.Kind == TraceRecordKind.Block && record.InterfaceIndex >= 0)
        {
            record.InterfaceIndex = _interfaces[record.InterfaceIndex].Index;
        }

        Pending.CopyFrom(in record);
        return true;
    }

    void UpdateInterfaces()
    {
        while (_interfaces.Count < reader.Interfaces.Count)
        {
            var added = new TraceInterface { Index = merged.Count, LinkType = reader.Interfaces[_interfaces.Count].LinkType };
            merged.Add(added);
            _interfaces.Add(added);
        }

        for (int i = 0; i < _interfaces.Count; i++)
        {
            Update(_interfaces[i], reader.Interfaces[i]);
        }
    }

    static void Update(TraceInterface to, TraceInterface from)
    {
        to.Name = from.Name;
        to.Description = from.Description;
        to.SnapLength = from.SnapLength;
        to.MacAddress = from.MacAddress;
        to.SpeedBitsPerSecond = from.SpeedBitsPerSecond;
        to.Packets = from.Packets;
        to.Dropped = from.Dropped;
        for (int address = to.Addresses.Count; address < from.Addresses.Count; address++)
        {
            to.Addresses.Add(from.Addresses[address]);
        }
    }
}
