using System;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// One connection as the events of its stack tell it, kept as the counters and clocks that Linux keeps itself: bytes, segments sent again, and how long data was in flight or
/// stopped by the peer's window. What is in flight follows from what was sent and what was acknowledged.
/// </summary>
sealed class EventConnection
{
    const long NanosecondsPerMicrosecond = 1000;

    long? _srtt;
    long? _cwnd;
    long? _window;
    long _bytesOut;
    long _bytesIn;
    long _retransmissions;
    long _reorderings;
    long _busy;
    long _stopped;
    long _recovery;
    long _timeout;
    SegmentSize _segment;
    SequenceNumber _una;
    SequenceNumber _max;
    bool _hasSent;
    SenderRepair _repair;
    SequenceNumber _repairEnd;
    TraceTime? _last;

    /// <summary>This machine's end, null until told.</summary>
    public Endpoint? Local { get; private set; }

    /// <summary>The peer's end, null until told.</summary>
    public Endpoint? Remote { get; private set; }

    /// <summary>Process that owns it, null until told.</summary>
    public uint? ProcessId { get; private set; }

    /// <summary>Its name when that was told; null where it had none by then.</summary>
    public string? Process { get; set; }

    long InFlight => _hasSent ? Math.Max(_max - _una, 0) : 0;

    /// <summary>Whether an event ends its connection.</summary>
    /// <param name="told">The event.</param>
    /// <returns>True when nothing follows.</returns>
    public static bool IsEnd(StackEvent told) => told.Kind switch
    {
        StackEventKind.Closed or StackEventKind.ConnectFailed or StackEventKind.ConnectionSummary => true,
        StackEventKind.StateChanged => told.TryGet(StackField.State, out long state) && state == 0,
        _ => false,
    };

    /// <summary>Takes in an event of the connection.</summary>
    /// <param name="told">The event.</param>
    public void OnEvent(StackEvent told)
    {
        Charge(told.Time);
        Identify(told);
        _ = told.TryGet(StackField.Bytes, out long bytes);
        switch (told.Kind)
        {
            case StackEventKind.SegmentSent when bytes is > 0 and < int.MaxValue && told.TryGet(StackField.SeqNo, out long seq):
                Learn(told);
                OnSent(new(unchecked((uint)seq)), (int)bytes);
                break;
            case StackEventKind.AckReceived when told.Has(StackField.SndWnd): // congestion controls tell of the same one again, without
                Learn(told);
                OnAcknowledged((int)Math.Clamp(bytes, 0, int.MaxValue));
                break;
            case StackEventKind.SegmentReceived:
                _bytesIn += Math.Max(bytes, 0);
                break;
            case StackEventKind.RetransmissionTimeout:
                _repair = SenderRepair.Timeout;
                _repairEnd = _max;
                break;
            case StackEventKind.ReorderingDetected:
                _reorderings++;
                break;
            default:
                break;
        }
    }

    /// <summary>Tells how it fares.</summary>
    /// <param name="reading">Filled.</param>
    /// <param name="now">The time.</param>
    public void Fill(ConnectionReading reading, TraceTime now)
    {
        Charge(now);
        reading.Local = Local.GetValueOrDefault();
        reading.Remote = Remote.GetValueOrDefault();
        reading.ProcessId = ProcessId;
        reading.Process = Process;
        reading.SrttUs = _srtt;
        reading.CwndBytes = _cwnd;
        reading.InFlightBytes = _hasSent ? InFlight : null;
        reading.SendWindowBytes = _window;
        reading.BytesOut = _bytesOut;
        reading.BytesIn = _bytesIn;
        reading.Retransmissions = _retransmissions;
        reading.Reorderings = _reorderings;
        reading.BusyUs = _busy / NanosecondsPerMicrosecond;
        reading.ReceiveWindowUs = _stopped / NanosecondsPerMicrosecond;
        reading.SendBufferUs = null;
        reading.RecoveryUs = _recovery / NanosecondsPerMicrosecond;
        reading.TimeoutUs = _timeout / NanosecondsPerMicrosecond;
        reading.Repair = _repair;
    }

    // The time since the event before belongs to what held then. Events of several processors come a little out of order.
    void Charge(TraceTime now)
    {
        long passed = _last is { } last ? Math.Max(now - last, 0) : 0;
        _last = _last is { } before && before > now ? before : now;
        if (InFlight == 0)
        {
            return;
        }

        _busy += passed;
        bool isWindowFull = _window is { } window && window - InFlight < _segment.Bytes && _repair == SenderRepair.None;
        _stopped += isWindowFull ? passed : 0;
        _recovery += _repair == SenderRepair.Recovery ? passed : 0;
        _timeout += _repair == SenderRepair.Timeout ? passed : 0;
    }

    void Identify(StackEvent told)
    {
        Local = told.Local ?? Local;
        Remote = told.Remote ?? Remote;
        bool isOwner = told.Kind is StackEventKind.ConnectionRundown or StackEventKind.Accepted or StackEventKind.Connected or StackEventKind.ConnectRequested;
        ProcessId = isOwner && told.ProcessId is > 0 ? told.ProcessId : ProcessId;
    }

    void Learn(StackEvent told)
    {
        _srtt = told.TryGet(StackField.Srtt, out long srtt) && srtt > 0 ? srtt : _srtt;
        _cwnd = told.TryGet(StackField.Cwnd, out long cwnd) ? cwnd : _cwnd;
        _window = told.TryGet(StackField.SndWnd, out long window) ? window : _window;
    }

    void OnSent(SequenceNumber seq, int bytes)
    {
        if (!_hasSent)
        {
            (_hasSent, _una, _max) = (true, seq, seq);
        }

        _segment.Learn(bytes);
        if (seq < _max)
        {
            _retransmissions += _segment.Count(Math.Min(bytes, _max - seq));
            if (_repair == SenderRepair.None)
            {
                (_repair, _repairEnd) = (SenderRepair.Recovery, _max);
            }
        }

        SequenceNumber end = seq + bytes;
        if (end > _max)
        {
            _bytesOut += end - _max;
            _max = end;
        }
    }

    void OnAcknowledged(int bytes)
    {
        _una += (int)Math.Min(bytes, InFlight);
        if (_repair != SenderRepair.None && _una >= _repairEnd)
        {
            _repair = SenderRepair.None;
        }
    }
}
