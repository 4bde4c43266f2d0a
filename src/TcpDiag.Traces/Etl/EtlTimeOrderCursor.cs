using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// The records by time stamp. Every processor fills buffers of its own, so buffers overlap in time. They are taken in the order of
/// their first time stamp and opened when the merge reaches it; a heap of the open ones gives the next record. In a
/// sound file one buffer per processor is open, and a rotated (circular) file needs nothing special.
/// </summary>
sealed class EtlTimeOrderCursor : EtlRecordCursor
{
    // Bounds of what may be open at once, met by no sound file: 1024 processors, 96 MB.
    const int MaxOpenBuffers = 1024;
    const long MaxOpenBytes = 96 << 20;

    readonly TraceInput _input;
    readonly EtlProblemLog _problems;
    readonly EtlBufferEntry[] _waiting;
    readonly ulong _slackTicks;
    readonly EtlBufferHeap _open = new();
    readonly Stack<EtlSortedBuffer> _free = [];
    long _openBytes;
    int _nextWaiting;
    bool _topIsRead;

    /// <summary>Creates the cursor.</summary>
    /// <param name="input">A positioned input.</param>
    /// <param name="entries">The buffers in file order.</param>
    /// <param name="problems">Where damage is noted.</param>
    /// <param name="slackTicks">How far the earliest record of a buffer may lie before its first.</param>
    internal EtlTimeOrderCursor(TraceInput input, List<EtlBufferEntry> entries, EtlProblemLog problems, ulong slackTicks)
    {
        _input = input;
        _problems = problems;
        _slackTicks = slackTicks;
        _waiting = [.. entries];
        Array.Sort(_waiting, CompareStart);
    }

    /// <inheritdoc/>
    public override bool TryRead(scoped ref EtlRecord record)
    {
        if (_topIsRead)
        {
            Advance();
        }

        while (_nextWaiting < _waiting.Length && IsDue(_waiting[_nextWaiting]))
        {
            OpenNext();
        }

        _topIsRead = _open.Count > 0;
        if (_topIsRead)
        {
            _open.Top.Read(ref record);
        }

        return _topIsRead;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        while (_open.Count > 0)
        {
            _open.RemoveTop().Dispose();
        }

        _nextWaiting = _waiting.Length;
        _topIsRead = false;
    }

    static int CompareStart(EtlBufferEntry left, EtlBufferEntry right)
    {
        int order = left.FirstTicks.CompareTo(right.FirstTicks);
        return order != 0 ? order : left.Offset.CompareTo(right.Offset);
    }

    void Advance()
    {
        if (_open.Top.MoveNext())
        {
            _open.TopGrew();
        }
        else
        {
            Close(_open.RemoveTop());
        }
    }

    bool IsDue(in EtlBufferEntry entry)
    {
        if (_open.Count == 0)
        {
            return true;
        }

        long reached = _open.Top.Ticks;
        if (entry.FirstTicks > reached && unchecked((ulong)(entry.FirstTicks - reached)) > _slackTicks)
        {
            return false;
        }

        bool hasRoom = _open.Count < MaxOpenBuffers && _openBytes + entry.FilledBytes <= MaxOpenBytes;
        if (!hasRoom)
        {
            _problems.Add(entry.Offset, string.Create(
                CultureInfo.InvariantCulture,
                $"expected buffers that overlap in time to be few, found {_open.Count} of {_openBytes >> 20} MB; records may be out of order"));
        }

        return hasRoom;
    }

    void OpenNext()
    {
        if (!_free.TryPop(out EtlSortedBuffer? buffer))
        {
            buffer = new EtlSortedBuffer(_input, _problems);
        }

        EtlBufferEntry entry = _waiting[_nextWaiting++];
        _openBytes += entry.FilledBytes;
        if (buffer.Open(entry))
        {
            _open.Add(buffer);
        }
        else
        {
            Close(buffer);
        }
    }

    void Close(EtlSortedBuffer buffer)
    {
        _openBytes -= buffer.Entry.FilledBytes;
        buffer.Dispose();
        _free.Push(buffer);
    }
}
