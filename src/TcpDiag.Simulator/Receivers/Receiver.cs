using System;
using System.Collections.Generic;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>
/// A reference receiver: reassembly, SACK and DSACK (RFC 2018, 2883), delayed acknowledgments (RFC 9293 §3.8.6.3), timestamps (RFC 7323 §4.3), and a window
/// that never shrinks and opens by useful amounts (RFC 9293 §3.8.6.2.2). It has no clock and no network.
/// </summary>
/// <param name="traits">The stack.</param>
/// <param name="mss">Largest segment in bytes.</param>
/// <param name="firstByte">Sequence number of the first byte of data.</param>
public sealed class Receiver(ReceiverTraits traits, int mss, SequenceNumber firstByte)
{
    readonly List<SackBlock> _blocks = []; // out of order, ascending
    SackBlock? _duplicate; // to report
    SequenceNumber _latest; // in the block that changed last: it is reported first (RFC 2018 §4)
    SequenceNumber _lastAckSent = firstByte;
    SequenceNumber _rightEdge = firstByte + traits.BufferBytes;
    SequenceNumber _grantedEdge = firstByte + traits.BufferBytes; // what the latest acknowledgment said
    int _buffer = traits.BufferBytes;
    int _unacked;
    int _quickAcks = traits.QuickAcks;
    int _readSinceGrowth;
    bool _mustAck;
    bool _echoesCongestion;

    /// <summary>RCV.NXT.</summary>
    public SequenceNumber RcvNxt { get; private set; } = firstByte;

    /// <summary>Bytes in order that the program has not read.</summary>
    public int Unread { get; private set; }

    /// <summary>TS.Recent (RFC 7323 §4.3).</summary>
    public uint TsRecent { get; private set; }

    /// <summary>Bytes that arrived twice.</summary>
    public long DuplicateBytes { get; private set; }

    /// <summary>When a delayed acknowledgment is due; <see cref="TraceTime.Latest"/> when none waits.</summary>
    public TraceTime NextTimer { get; private set; } = TraceTime.Latest;

    /// <summary>The window it grants, bytes, as the scaled field can say it.</summary>
    public int Window => (_rightEdge - RcvNxt) >> traits.WindowScale << traits.WindowScale;

    /// <summary>The TSval of the handshake.</summary>
    public void OnSyn(uint tsVal) => TsRecent = tsVal;

    /// <summary>A data segment arrived.</summary>
    /// <param name="seq">Its first byte.</param>
    /// <param name="length">Its bytes.</param>
    /// <param name="tsVal">Its TSval.</param>
    /// <param name="isMarked">Whether it carries CE.</param>
    /// <param name="now">The time.</param>
    public void OnSegment(SequenceNumber seq, int length, uint tsVal, bool isMarked, TraceTime now)
    {
        _echoesCongestion |= isMarked;
        SequenceNumber end = seq + length;
        if (seq <= _lastAckSent && unchecked((int)(tsVal - TsRecent)) > 0)
        {
            TsRecent = tsVal;
        }

        end = end > _rightEdge ? _rightEdge : end; // RFC 9293 §3.10.7.4: what the window does not take is cut off
        if (end <= seq && seq >= RcvNxt)
        {
            _mustAck = true;
        }
        else if (end <= RcvNxt)
        {
            OnDuplicate(new SackBlock(seq, end));
        }
        else if (seq > RcvNxt)
        {
            OnOutOfOrder(new SackBlock(seq, end));
        }
        else
        {
            OnInOrder(end, now);
        }
    }

    /// <summary>The sender said that it reduced its window (CWR, RFC 3168 §6.1.3).</summary>
    public void OnWindowReduced() => _echoesCongestion = false;

    /// <summary>The program reads.</summary>
    /// <param name="bytes">At most so much.</param>
    /// <returns>What it got.</returns>
    public int Read(int bytes)
    {
        int read = Math.Min(bytes, Unread);
        Unread -= read;
        GrowBuffer(read);
        SequenceNumber edge = RcvNxt + Math.Max(_buffer - Unread, 0);
        if (edge - _rightEdge >= Math.Min(mss, _buffer / 2))
        {
            int granted = _grantedEdge - RcvNxt;
            _rightEdge = edge;
            _mustAck |= 2 * granted <= _buffer && edge - RcvNxt >= 2 * granted; // a window update when it doubles, as in Linux
        }

        return read;
    }

    /// <summary>A delayed acknowledgment is due.</summary>
    public void OnTimer(TraceTime now) => _mustAck |= NextTimer <= now;

    /// <summary>The acknowledgment that is due, if there is one.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <returns>False when none is due.</returns>
    public bool TryTakeAck(out AckArrival ack)
    {
        ack = default;
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
        AckArrival ack = new() { Una = RcvNxt, Window = Window, HasEcnEcho = _echoesCongestion, TsEcr = TsRecent };
        AddBlocks(ref ack);
        _lastAckSent = RcvNxt;
        _grantedEdge = RcvNxt + Window;
        _unacked = 0;
        _mustAck = false;
        NextTimer = TraceTime.Latest;
        return ack;
    }

    void OnInOrder(SequenceNumber end, TraceTime now)
    {
        bool fillsHole = _blocks.Count > 0;
        SequenceNumber from = RcvNxt;
        RcvNxt = end;
        while (_blocks.Count > 0 && _blocks[0].Left <= RcvNxt)
        {
            RcvNxt = _blocks[0].Right > RcvNxt ? _blocks[0].Right : RcvNxt;
            _blocks.RemoveAt(0);
        }

        Unread += RcvNxt - from;
        _unacked++;
        _mustAck |= fillsHole || _unacked >= traits.SegmentsPerAck || _quickAcks-- > 0;
        _quickAcks = Math.Max(_quickAcks, 0);
        NextTimer = _mustAck || NextTimer < TraceTime.Latest ? NextTimer : now + traits.AckDelayNanos;
    }

    void OnOutOfOrder(SackBlock block)
    {
        _mustAck = true; // RFC 5681 §4.2
        if (IsHeld(block))
        {
            OnDuplicate(block);
            return;
        }

        if (HeldBytes() + (block.Right - block.Left) > traits.ReassemblyBytes)
        {
            return; // dropped: the acknowledgment says nothing new
        }

        _latest = block.Left;
        Merge(block);
    }

    void OnDuplicate(SackBlock block)
    {
        _mustAck = true;
        DuplicateBytes += block.Right - block.Left;
        _duplicate = traits.HasSack && traits.HasDsack ? block : null;
    }

    bool IsHeld(SackBlock block)
    {
        foreach (SackBlock held in _blocks)
        {
            if (held.Left <= block.Left && block.Right <= held.Right)
            {
                return true;
            }
        }

        return false;
    }

    int HeldBytes()
    {
        int bytes = 0;
        foreach (SackBlock held in _blocks)
        {
            bytes += held.Right - held.Left;
        }

        return bytes;
    }

    void Merge(SackBlock block)
    {
        int at = 0;
        while (at < _blocks.Count && _blocks[at].Right < block.Left)
        {
            at++;
        }

        while (at < _blocks.Count && _blocks[at].Left <= block.Right)
        {
            SackBlock held = _blocks[at];
            block = new SackBlock(held.Left < block.Left ? held.Left : block.Left, held.Right > block.Right ? held.Right : block.Right);
            _blocks.RemoveAt(at);
        }

        _blocks.Insert(at, block);
    }

    // The duplicate first (RFC 2883 §4), then the block with the latest segment, then the others (RFC 2018 §4).
    void AddBlocks(ref AckArrival ack)
    {
        if (!traits.HasSack)
        {
            return;
        }

        if (_duplicate is { } duplicate)
        {
            ack.Add(duplicate);
            _duplicate = null;
        }

        int latest = _blocks.FindIndex(block => block.Left <= _latest && _latest < block.Right);
        if (latest >= 0)
        {
            ack.Add(_blocks[latest]);
        }

        for (int i = _blocks.Count - 1; i >= 0 && ack.BlockCount < 3; i--)
        {
            if (i != latest)
            {
                ack.Add(_blocks[i]);
            }
        }
    }

    // The buffer doubles when the program has read as much as it holds, so that a window is never what a sender lacks for more than a round trip.
    void GrowBuffer(int read)
    {
        _readSinceGrowth += read;
        if (_buffer < traits.MaxBufferBytes && _readSinceGrowth >= _buffer / 2)
        {
            _buffer = (int)Math.Min(2L * _buffer, traits.MaxBufferBytes);
            _readSinceGrowth = 0;
        }
    }
}
