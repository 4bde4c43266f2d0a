using System;
using TcpDiag.Probe.Receiving;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Trials;

/// <summary>
/// Waits until a sender has enough in flight for a trial: what is wanted, or, after a while in which the window could grow back, what will do.
/// </summary>
/// <param name="minFlight">Segments that will do.</param>
/// <param name="limitRounds">Round trips after which nothing more is waited for.</param>
sealed class FlightWait(int minFlight, int limitRounds)
{
    // Round trips that a congestion window gets to grow back before a smaller flight is taken.
    const int PatienceRounds = 30;

    TraceTime _since = TraceTime.Latest;

    /// <summary>Why nothing more is waited for; null as long as it is.</summary>
    public string? GaveUp { get; private set; }

    /// <summary>Whether a trial may begin; then the next one is waited for anew.</summary>
    /// <param name="view">What the probe sees; quiet.</param>
    /// <param name="wanted">Segments that are wanted.</param>
    /// <param name="isReady">Whether anything else that the trial needs is there.</param>
    public bool IsOver(ReceiverView view, int wanted, bool isReady = true)
    {
        _since = _since < view.Now ? _since : view.Now;
        long rounds = (view.Now - _since) / (view.Settings.DelayNanos + view.PathNanos);
        if (rounds > limitRounds && view.Flight < minFlight)
        {
            GaveUp = FormattableString.Invariant($"the sender never had more than {view.Flight} segments under way");
        }

        bool isEnough = isReady && (view.Flight >= wanted || (rounds > PatienceRounds && view.Flight >= minFlight));
        _since = isEnough ? TraceTime.Latest : _since;
        return isEnough;
    }
}
