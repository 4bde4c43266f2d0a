using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>What held a simulated sender, at every instant from its first byte to the acknowledgment of its last.</summary>
public enum SenderState
{
    /// <summary>The program had nothing to write.</summary>
    Application,

    /// <summary>The program waited for room in the send buffer.</summary>
    SendBuffer,

    /// <summary>cwnd.</summary>
    CongestionWindow,

    /// <summary>The receive window.</summary>
    ReceiveWindow,

    /// <summary>A rate it was told not to exceed.</summary>
    Pacing,

    /// <summary>A loss was being repaired.</summary>
    Recovery,

    /// <summary>Silence until the retransmission timer expired.</summary>
    Timeout,
}

/// <summary>Adds up time by state.</summary>
sealed class SenderTruth
{
    /// <summary>States there are.</summary>
    public const int States = 7;

    Times _total;
    Times _sinceEvent; // time since the latest segment or acknowledgment: it becomes a timeout's if a timer ends it
    TraceTime _from;
    SenderState _state;
    bool _isOn;

    /// <summary>From now on, a state holds.</summary>
    public void Set(SenderState state, TraceTime now)
    {
        Advance(now);
        _isOn = true;
        _state = state;
    }

    /// <summary>A segment was sent, or an acknowledgment arrived.</summary>
    public void OnEvent(TraceTime now)
    {
        Advance(now);
        for (int i = 0; i < States; i++)
        {
            _total[i] += _sinceEvent[i];
            _sinceEvent[i] = 0;
        }
    }

    /// <summary>The retransmission timer expired.</summary>
    public void OnTimeout(TraceTime now)
    {
        Advance(now);
        for (int i = 0; i < States; i++)
        {
            _total[(int)SenderState.Timeout] += _sinceEvent[i];
            _sinceEvent[i] = 0;
        }
    }

    /// <summary>Everything was acknowledged.</summary>
    /// <returns>ns by state.</returns>
    public long[] End(TraceTime now)
    {
        OnEvent(now);
        return ((ReadOnlySpan<long>)_total)[..States].ToArray();
    }

    void Advance(TraceTime now)
    {
        _sinceEvent[(int)_state] += _isOn ? now - _from : 0;
        _from = now;
    }

    [InlineArray(States)]
    struct Times
    {
        long _first;
    }
}
