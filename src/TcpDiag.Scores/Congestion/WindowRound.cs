using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>One round trip of a sender: from an acknowledgment to the first beyond what had been sent by then.</summary>
/// <param name="Start">When it began.</param>
/// <param name="Packet">The acknowledgment with which it began.</param>
/// <param name="Nanos">How long it took, ns.</param>
/// <param name="PeakBytes">Most in flight in it: the congestion window where that held the sender.</param>
/// <param name="DeliveredBytes">What was delivered.</param>
/// <param name="MinRttNanos">Its smallest round-trip sample, ns; 0 without one.</param>
/// <param name="IsHeld">Whether what was in flight held the sender all the time: neither its program nor the receive window did.</param>
/// <param name="IsClean">Whether nothing was repaired in it, nor marked.</param>
/// <param name="Stage">How many reductions came before it.</param>
readonly record struct WindowRound(
    TraceTime Start, long Packet, long Nanos, long PeakBytes, long DeliveredBytes, long MinRttNanos, bool IsHeld, bool IsClean, int Stage)
{
    /// <summary>Bytes per ns.</summary>
    public double Rate => Nanos > 0 ? (double)DeliveredBytes / Nanos : 0;
}

/// <summary>Cuts what a sender does into round trips.</summary>
/// <param name="smss">SMSS, bytes.</param>
sealed class WindowRounds(int smss)
{
    const int MaxRounds = 1 << 16; // 6.5 MB; an hour and more at 50 ms
    const double MinLevel = 0.9; // of the peak so far: the sender answers each acknowledgment with what it freed
    const double MinHeldShare = 0.8;

    readonly List<WindowRound> _rounds = [];
    SequenceNumber _end;
    TraceTime _start;
    long _packet;
    long _peak;
    long _delivered;
    long _minRtt;
    long _flight;
    int _acks;
    int _held;
    int _stage;
    bool _isOpen;
    bool _isClean;

    /// <summary>The rounds so far.</summary>
    public IReadOnlyList<WindowRound> All => _rounds;

    /// <summary>Takes in what was sent.</summary>
    public void OnSent(in DataSent sent)
    {
        _flight = sent.FlightBytes;
        _peak = Math.Max(_peak, sent.FlightBytes);
        _isClean &= sent.Repair == RepairKind.None;
    }

    /// <summary>Takes in a reduction of the window: rounds after it belong to another stage.</summary>
    public void OnReduction()
    {
        _stage++;
        _isClean = false;
    }

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="isRepairing">Whether a recovery goes on.</param>
    public void OnAcked(in DataAcked ack, bool isRepairing)
    {
        _acks++;
        _held += _flight >= MinLevel * _peak && ack.RoomBytes >= smss ? 1 : 0;
        _delivered += ack.DeliveredBytes;
        _isClean &= !isRepairing && !ack.HasEcnEcho;
        _minRtt = ack.RttNanos > 0 && (_minRtt == 0 || ack.RttNanos < _minRtt) ? ack.RttNanos : _minRtt;
        _flight = ack.FlightBytes;
        if (!_isOpen || ack.Una > _end)
        {
            Close(ack.Time);
            Open(ack);
        }
    }

    void Close(TraceTime now)
    {
        if (_isOpen && _rounds.Count < MaxRounds)
        {
            bool isHeld = _held >= MinHeldShare * _acks && _peak >= smss; // a FIN alone is a byte
            _rounds.Add(new(_start, _packet, now - _start, _peak, _delivered, _minRtt, isHeld, _isClean, _stage));
        }
    }

    void Open(in DataAcked ack)
    {
        (_isOpen, _isClean) = (true, true);
        (_end, _start, _packet) = (ack.Next, ack.Time, ack.Packet);
        (_peak, _delivered, _minRtt, _acks, _held) = (ack.FlightBytes, 0, 0, 0, 0);
    }
}
