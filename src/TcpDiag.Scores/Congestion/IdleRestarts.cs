using System;
using System.Collections.Generic;
using TcpDiag.Scores.Cards;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>
/// What a sender sends at once after a pause longer than its retransmission timeout: an initial window and no more (RFC 5681 §4.1). Pauses count before which
/// more had been in flight, and after which more was there to be sent.
/// </summary>
/// <param name="smss">SMSS, bytes.</param>
sealed class IdleRestarts(int smss)
{
    const int MaxPlaces = 1 << 12;

    readonly List<ScorePlace> _bursts = [];
    readonly long _restartWindow = InitialWindow.Ten(smss);
    TraceTime _lastSend;
    TraceTime _begun;
    long _packet;
    long _peak; // in flight before
    long _first; // in flight before the first acknowledgment after a pause
    long _rtoNanos;
    long _flight;
    long _hits;
    long _trials;
    bool _isBurst;

    /// <summary>Takes in what was sent.</summary>
    public void OnSent(in DataSent sent)
    {
        long idle = sent.Time - _lastSend;
        if (_flight == 0 && _rtoNanos > 0 && idle > _rtoNanos && _peak > _restartWindow)
        {
            (_isBurst, _begun, _packet, _first) = (true, sent.Time, sent.Packet, 0);
        }

        _first = _isBurst ? sent.FlightBytes : _first;
        _peak = _isBurst ? _peak : Math.Max(_peak, sent.FlightBytes);
        _lastSend = sent.Time;
        _flight = sent.FlightBytes;
    }

    /// <summary>Takes in an acknowledgment.</summary>
    public void OnAcked(in DataAcked ack)
    {
        _rtoNanos = ack.RtoNanos;
        _flight = ack.FlightBytes;
        if (_isBurst && ack.HasAdvanced)
        {
            Judge(ack);
        }
    }

    /// <summary>Gives the component.</summary>
    public ScoreComponent Component() => new()
    {
        Id = "idle-restart",
        Family = ScoreFamily.CongestionControl,
        Name = "small windows after a pause",
        Clause = "RFC 5681 §4.1",
        Rate = _trials > 0 ? new Proportion(_hits, _trials) : null,
        NotExercised = _trials > 0 ? null : "no pause longer than the timeout with much to send behind it: bursts of 200 kB every few seconds exercise it",
        Evidence = _trials > 0 ? FormattableString.Invariant($"what was sent at once after {_trials} pauses, beside {_restartWindow / 1000} kB") : string.Empty,
        Worst = ScorePlace.Worst(_bursts),
    };

    // A burst of exactly the window leaves more to be sent; a smaller one shows nothing of it.
    void Judge(in DataAcked ack)
    {
        _isBurst = false;
        bool isAll = _first < _restartWindow - smss;
        if (isAll)
        {
            return;
        }

        bool isSmall = _first <= _restartWindow + smss;
        _trials++;
        _hits += isSmall ? 1 : 0;
        if (!isSmall && _bursts.Count < MaxPlaces)
        {
            _bursts.Add(new(_packet, _begun, (long)(Math.Min(_first / (double)_restartWindow, 1000) * Math.Max(ack.SrttNanos, 1))));
        }

    }
}
