using System;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>
/// A reference receiver: reassembly, SACK and DSACK (RFC 2018, 2883), delayed acknowledgments (RFC 9293 §3.8.6.3), timestamps (RFC 7323 §4.3), and a window
/// that never shrinks and opens by useful amounts (RFC 9293 §3.8.6.2.2); or the same with the rules of Linux. It has no clock and no network.
/// </summary>
public sealed class Receiver
{
    const int TimestampBytes = 12;
    const long NanosPerMs = 1_000_000;
    const int MaxUnflushed = 2; // TCP_SACK_BLOCKS_EXPECTED
    const int PawsWindow = 1; // TCP_PAWS_WINDOW
    const int MaxField = ushort.MaxValue;

    readonly ReceiverTraits _traits;
    readonly int _mss;
    readonly ReassemblyQueue _queue = new();
    LinuxAcks _acks;
    LinuxReceiveBuffer _tuned;
    SackBlock? _duplicate; // to report
    AckArrival? _flushed; // what was held back, sent before a further block is held
    SequenceNumber _lastAckSent;
    SequenceNumber _rightEdge;
    SequenceNumber _grantedEdge; // what the latest acknowledgment said
    TraceTime _delayedAck = TraceTime.Latest;
    int _buffer;
    int _unacked;
    int _quickAcks;
    int _readSinceGrowth;
    long _handshakeRttNanos;
    bool _mustAck;
    bool _echoesCongestion;

    /// <summary>A connection that is about to be established.</summary>
    /// <param name="traits">The stack.</param>
    /// <param name="mss">Largest segment in bytes.</param>
    /// <param name="firstByte">Sequence number of the first byte of data.</param>
    public Receiver(ReceiverTraits traits, int mss, SequenceNumber firstByte)
    {
        ArgumentNullException.ThrowIfNull(traits);
        (_traits, _mss) = (traits, mss);
        _buffer = traits.IsLinux ? traits.BufferBytes / mss * mss : traits.BufferBytes; // tcp_select_initial_window: whole segments
        _acks = new LinuxAcks(traits.QuickAcks, traits.CompressedSacks);
        _tuned = new LinuxReceiveBuffer(mss + TimestampBytes, _buffer, Math.Max(traits.BufferBytes, traits.MaxBufferBytes), firstByte);
        _quickAcks = traits.QuickAcks;
        RcvNxt = _lastAckSent = firstByte;
        _rightEdge = _grantedEdge = firstByte + _buffer;
    }

    /// <summary>RCV.NXT.</summary>
    public SequenceNumber RcvNxt { get; private set; }

    /// <summary>Bytes in order that the program has not read.</summary>
    public int Unread { get; private set; }

    /// <summary>TS.Recent (RFC 7323 §4.3).</summary>
    public uint TsRecent { get; private set; }

    /// <summary>Bytes that arrived twice.</summary>
    public long DuplicateBytes { get; private set; }

    /// <summary>When an acknowledgment is due that is delayed or held back; <see cref="TraceTime.Latest"/> when none waits.</summary>
    public TraceTime NextTimer => _delayedAck < _acks.Due ? _delayedAck : _acks.Due;

    /// <summary>The window it grants, bytes, as the scaled field can say it.</summary>
    public int Window => (_rightEdge - RcvNxt) >> _traits.WindowScale << _traits.WindowScale;

    // __tcp_ack_snd_check: the smaller of what the handshake and the data showed.
    long RttNanos => _handshakeRttNanos > 0 && (_tuned.RttNanos == 0 || _handshakeRttNanos < _tuned.RttNanos) ? _handshakeRttNanos : _tuned.RttNanos;

    int Held => Unread + _queue.Bytes;

    /// <summary>The TSval of the handshake.</summary>
    public void OnSyn(uint tsVal) => TsRecent = tsVal;

    /// <summary>The handshake is done.</summary>
    /// <param name="now">When.</param>
    /// <param name="rttNanos">Its round trip as this end saw it, ns; 0 when it is not known.</param>
    public void OnEstablished(TraceTime now, long rttNanos)
    {
        _handshakeRttNanos = rttNanos;
        _tuned.OnEstablished(now);
    }

    /// <summary>A data segment arrived.</summary>
    /// <param name="segment">The segment.</param>
    public void OnSegment(in DataArrival segment)
    {
        (SequenceNumber seq, SequenceNumber end) = (segment.Seq, segment.Seq + segment.Length);
        OnMark(segment.IsMarked);
        bool isAcceptable = !_traits.IsLinux || end >= _lastAckSent; // RFC 7323 §5.3 R2 before R3; tcp_sequence
        if (isAcceptable && seq <= _lastAckSent && unchecked((int)(segment.TsVal - TsRecent)) > 0)
        {
            TsRecent = segment.TsVal;
        }

        if (segment.TsEcr is { } echo && segment.Length >= _mss)
        {
            _tuned.OnEcho(echo, unchecked((int)((uint)(segment.Now.Nanoseconds / NanosPerMs) - echo)) * NanosPerMs, Unread == 0);
        }

        if (_traits.IsLinux && segment.TsEcr is not null && unchecked((int)(TsRecent - segment.TsVal)) > PawsWindow)
        {
            OnOldTimestamp(seq, end);
            return;
        }

        end = end > _rightEdge ? _rightEdge : end; // RFC 9293 §3.10.7.4: what the window does not take is cut off
        if (end <= seq && seq >= RcvNxt)
        {
            _mustAck = true;
            _acks.OnDuplicate();
        }
        else if (end <= RcvNxt)
        {
            OnDuplicate(new SackBlock(seq, end));
            _mustAck = true;
            _acks.OnDuplicate();
        }
        else if (seq > RcvNxt)
        {
            OnOutOfOrder(new SackBlock(seq, end), segment.Now);
        }
        else
        {
            OnInOrder(end, segment);
        }
    }

    /// <summary>The sender said that it reduced its window (CWR, RFC 3168 §6.1.3).</summary>
    public void OnWindowReduced()
    {
        _echoesCongestion = false;
        _mustAck |= _traits.IsLinux; // tcp_ecn_accept_cwr: the sender may have little in flight
    }

    /// <summary>The program reads.</summary>
    /// <param name="bytes">At most so much.</param>
    /// <param name="now">When.</param>
    /// <returns>What it got.</returns>
    public int Read(int bytes, TraceTime now)
    {
        int read = Math.Min(bytes, Unread);
        Unread -= read;
        if (_traits.IsLinux)
        {
            _tuned.OnRead(RcvNxt + -Unread, Span, now);
            UpdateTunedWindow(read);
        }
        else
        {
            GrowBuffer(read);
            UpdateWindow();
        }

        return read;
    }

    /// <summary>An acknowledgment is due that was delayed or held back.</summary>
    public void OnTimer(TraceTime now) => _mustAck |= NextTimer <= now;

    /// <summary>The acknowledgment that is due, if there is one; call it until it returns false.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <returns>False when none is due.</returns>
    public bool TryTakeAck(out AckArrival ack)
    {
        ack = default;
        if (_flushed is { } flushed)
        {
            (ack, _flushed) = (flushed, null);
            return true;
        }

        if (!_mustAck)
        {
            return false;
        }

        ack = TakeAck();
        return true;
    }

    /// <summary>What any segment sent now acknowledges; nothing is due after it.</summary>
    /// <returns>Numbers, window and SACK blocks.</returns>
    public AckArrival TakeAck()
    {
        if (_traits.IsLinux)
        {
            GrantTuned();
        }

        AckArrival ack = new() { Una = RcvNxt, Window = Window, HasEcnEcho = _echoesCongestion, TsEcr = TsRecent };
        AddBlocks(ref ack);
        _lastAckSent = RcvNxt;
        _grantedEdge = RcvNxt + Window;
        _unacked = 0;
        _mustAck = false;
        _delayedAck = TraceTime.Latest;
        _acks.OnSent();
        return ack;
    }

    // From RCV.NXT to the last byte held.
    int Span => _queue.IsEmpty ? 0 : _queue.End - RcvNxt;

    void OnMark(bool isMarked)
    {
        if (isMarked && !_echoesCongestion)
        {
            _echoesCongestion = true;
            _acks.OnMarked();
        }
    }

    // RFC 7323 §5.3 R1 (PAWS): acknowledged and dropped. It may be new: what was sent before a retransmission, and arrives late behind it.
    void OnOldTimestamp(SequenceNumber seq, SequenceNumber end)
    {
        _mustAck = true;
        if (seq < RcvNxt)
        {
            OnDuplicate(new SackBlock(seq, end < RcvNxt ? end : RcvNxt));
            _acks.OnDuplicate();
        }
    }

    void OnInOrder(SequenceNumber end, in DataArrival segment)
    {
        bool fillsHole = !_queue.IsEmpty;
        SequenceNumber from = RcvNxt;
        RcvNxt = _queue.TakeInOrder(end);
        Unread += RcvNxt - from;
        _unacked++;
        bool isDue = fillsHole || _unacked >= _traits.SegmentsPerAck;
        if (_traits.IsLinux)
        {
            _tuned.OnInOrder(from, _grantedEdge - _lastAckSent, segment.Now);
            _acks.OnInOrder(segment.Now, segment.IsPushed || segment.Length < _mss, RttNanos);
            Grow(segment.Length);
            isDue |= _acks.MustAck(RcvNxt, !_queue.IsEmpty, segment.Now, RttNanos);
        }
        else if (!isDue && _quickAcks > 0)
        {
            _quickAcks--;
            isDue = true;
        }

        _mustAck |= isDue;
        _delayedAck = _mustAck || _delayedAck < TraceTime.Latest ? _delayedAck : segment.Now + _traits.AckDelayNanos;
    }

    void OnOutOfOrder(SackBlock block, TraceTime now)
    {
        if (_queue.Contains(block))
        {
            OnDuplicate(block);
        }
        else if (_queue.Bytes + (block.Right - block.Left) <= _traits.ReassemblyBytes) // else dropped: the acknowledgment says nothing new
        {
            Hold(block);
        }

        _mustAck |= !_traits.IsLinux || !_traits.HasSack || _acks.MustAck(RcvNxt, hasHoles: true, now, RttNanos); // RFC 5681 §4.2: at once
    }

    void Hold(SackBlock block)
    {
        if (_traits.IsLinux && _acks.Held > 0 && _queue.Count >= MaxUnflushed && !_queue.Touches(block))
        {
            _flushed = TakeAck(); // tcp_sack_compress_send_ack: the first blocks should not be pushed out unheard
        }

        _queue.Add(block);
        if (_traits.IsLinux && _traits.HasSack)
        {
            Grow(block.Right - block.Left);
            _tuned.OnOutOfOrder(Span);
        }
    }

    void Grow(int length)
    {
        if (_tuned.TryGrow(length, Held - length + Math.Max(length, _mss))) // a small segment takes the room of a full one
        {
            _acks.OnWindowGrown();
        }
    }

    void OnDuplicate(SackBlock block)
    {
        DuplicateBytes += block.Right - block.Left;
        _duplicate = _traits.HasSack && _traits.HasDsack ? block : null;
    }

    // The duplicate first (RFC 2883 §4).
    void AddBlocks(ref AckArrival ack)
    {
        if (!_traits.HasSack)
        {
            return;
        }

        if (_duplicate is { } duplicate)
        {
            ack.Add(duplicate);
            _duplicate = null;
        }

        _queue.Report(ref ack);
    }

    // As Linux grants it: rounded up to what the scaled field can say, and never less than before.
    void GrantTuned()
    {
        int window = Math.Max(_tuned.Window(Held), _rightEdge - RcvNxt);
        int unit = 1 << _traits.WindowScale;
        _rightEdge = RcvNxt + Math.Min((window + unit - 1) / unit * unit, MaxField << _traits.WindowScale);
    }

    void UpdateTunedWindow(int read)
    {
        int granted = _grantedEdge - RcvNxt;
        int window = _tuned.Window(Held);
        _mustAck |= read > 0 && window > 0 && 2 * granted <= _tuned.Clamp && window >= 2 * granted;
        _mustAck |= _unacked > 0 && Unread == 0 && _acks.MustAckRead;
    }

    void UpdateWindow()
    {
        SequenceNumber edge = RcvNxt + Math.Max(_buffer - Unread, 0);
        if (edge - _rightEdge >= Math.Min(_mss, _buffer / 2))
        {
            int granted = _grantedEdge - RcvNxt;
            _rightEdge = edge;
            _mustAck |= 2 * granted <= _buffer && edge - RcvNxt >= 2 * granted; // a window update when it doubles, as in Linux
        }
    }

    // The buffer doubles when the program has read as much as it holds, so that a window is never what a sender lacks for more than a round trip.
    void GrowBuffer(int read)
    {
        _readSinceGrowth += read;
        if (_buffer < _traits.MaxBufferBytes && _readSinceGrowth >= _buffer / 2)
        {
            _buffer = (int)Math.Min(2L * _buffer, _traits.MaxBufferBytes);
            _readSinceGrowth = 0;
        }
    }
}
