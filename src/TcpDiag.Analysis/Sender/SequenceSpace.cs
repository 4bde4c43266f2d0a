using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// The send sequence variables of one end (RFC 9293 §3.3.1), as the capture point sees them.
/// Invariant once <see cref="IsKnown"/>: SND.UNA ≤ SND.MAX.
/// </summary>
struct SequenceSpace
{
    SequenceNumber _max;
    SequenceNumber _una;
    SequenceNumber _dataEnd;
    int _maxInFlight;
    byte _duplicateAcks;
    bool _isKnown;
    bool _hasData;

    /// <summary>Whether a segment of this end, or an acknowledgment for it, was seen.</summary>
    public readonly bool IsKnown => _isKnown;

    /// <summary>Behind the highest byte sent, FIN included (SND.MAX).</summary>
    public readonly SequenceNumber SndMax => _max;

    /// <summary>Highest cumulative acknowledgment that came back; before the first, the lowest sequence number seen (SND.UNA).</summary>
    public readonly SequenceNumber SndUna => _una;

    /// <summary>Whether payload was sent.</summary>
    public readonly bool HasData => _hasData;

    /// <summary>Behind the highest payload byte sent; valid while <see cref="HasData"/>.</summary>
    public readonly SequenceNumber DataEnd => _dataEnd;

    /// <summary>SND.MAX − SND.UNA, bytes.</summary>
    public readonly int InFlight => _max - _una;

    /// <summary>Largest <see cref="InFlight"/> after a send, bytes.</summary>
    public readonly int MaxInFlight => _maxInFlight;

    /// <summary>Duplicate acknowledgments since SND.UNA last moved, at most 255.</summary>
    public readonly int DuplicateAcks => _duplicateAcks;

    /// <summary>Begins at the first number known.</summary>
    public void Begin(SequenceNumber at)
    {
        _una = at;
        _max = at;
        _isKnown = true;
    }

    /// <summary>Takes in a SYN. It sets SND.UNA unless the capture began with other segments of the connection.</summary>
    /// <param name="isn">Initial sequence number.</param>
    /// <param name="isResent">Whether an earlier SYN of this end was seen.</param>
    public void OnSyn(SequenceNumber isn, bool isResent)
    {
        SequenceNumber next = isn + 1;
        bool isFirst = !_isKnown || isResent;
        _una = isFirst ? isn : _una;
        _max = isFirst || next > _max ? next : _max;
        _isKnown = true;
    }

    /// <summary>Takes in the first payload: data begins here.</summary>
    public void BeginData(SequenceNumber start)
    {
        _dataEnd = start;
        _hasData = true;
    }

    /// <summary>Takes in sequence space that was never sent before.</summary>
    /// <param name="start">First byte.</param>
    /// <param name="length">Bytes, one for a FIN included.</param>
    /// <param name="payload">Payload bytes among them.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Extend(SequenceNumber start, int length, int payload)
    {
        _max = start + length;
        if (payload > 0)
        {
            _dataEnd = start + payload;
        }

        int inFlight = _max - _una;
        if (inFlight > _maxInFlight)
        {
            _maxInFlight = inFlight;
        }
    }

    /// <summary>Takes in where the payload of a segment ends that begins below SND.MAX and reaches above it.</summary>
    public void ExtendData(SequenceNumber end) => _dataEnd = end;

    /// <summary>Takes in an acknowledgment of bytes that were never captured.</summary>
    /// <param name="ack">The acknowledgment, above SND.MAX.</param>
    /// <param name="isPayload">Whether they are known to be payload.</param>
    public void ExtendUnseen(SequenceNumber ack, bool isPayload)
    {
        _dataEnd = isPayload ? ack : _dataEnd;
        _max = ack;
    }

    /// <summary>Takes in that what was sent from here on was refused and will be sent anew.</summary>
    public void CutTo(SequenceNumber end)
    {
        _max = end;
        _dataEnd = end;
    }

    /// <summary>Moves SND.UNA.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Acknowledge(SequenceNumber ack)
    {
        _una = ack;
        _duplicateAcks = 0;
    }

    /// <summary>Counts a duplicate acknowledgment.</summary>
    public void CountDuplicateAck() => _duplicateAcks = (byte)Math.Min(_duplicateAcks + 1, byte.MaxValue);

    /// <summary>Corrects the largest amount in flight: part of what seemed to be had been acknowledged unseen.</summary>
    public void CorrectMaxInFlight(int bytes) => _maxInFlight = bytes;
}
