using System;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Trials;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Profiles;

/// <summary>A script of one hole after the other, each when the sender has recovered from the one before.</summary>
public abstract class HoleProfile : ProbeProfile
{
    // Round trips that a congestion window gets to grow back before a smaller flight is taken.
    const int PatienceRounds = 30;

    // Round trips after which nothing more is waited for.
    const int LimitRounds = 250;

    // Three segments above the hole show DupThresh, and the others that it was not that.
    const int MinFlight = 6;

    HoleTrial? _trial;
    TraceTime _waitingSince = TraceTime.Latest;

    /// <inheritdoc/>
    public sealed override bool IsDone => GaveUp is not null || (_trial is null && !HasNext);

    /// <inheritdoc/>
    public sealed override bool ReportsDuplicates => _trial is null || _trial.Plan.ReportsDuplicate;

    /// <summary>Why no further trial was begun; null when none was missing.</summary>
    private protected string? GaveUp { get; private set; }

    /// <summary>Whether there is a further trial.</summary>
    private protected abstract bool HasNext { get; }

    /// <inheritdoc/>
    public sealed override Fate OnNew(in Arrival arrival, ReceiverView view)
    {
        _trial ??= HasNext ? new HoleTrial(Next(view)) : null;
        if (_trial is null || _trial.HasBegun)
        {
            return Fate.Arrives;
        }

        return MayBegin(view) ? Begin(arrival, view) : Fate.Arrives;
    }

    /// <inheritdoc/>
    public sealed override Fate OnResent(in Arrival arrival, ReceiverView view) => _trial?.OnResent(arrival, view) ?? Fate.Arrives;

    /// <inheritdoc/>
    public sealed override void OnAcknowledged(in Acknowledgment ack, ReceiverView view)
    {
        _trial?.OnAcknowledged(ack, view);
        if (_trial is { IsOver: true } over)
        {
            _trial = null;
            OnOver(over, view);
        }
    }

    /// <summary>The segments a trial wants to be under way.</summary>
    private protected virtual int WantedFlight(ReceiverView view) => view.Settings.FlightSegments * 3 / 4;

    /// <summary>What the next trial does.</summary>
    private protected abstract HolePlan Next(ReceiverView view);

    /// <summary>A trial is over.</summary>
    private protected abstract void OnOver(HoleTrial trial, ReceiverView view);

    bool MayBegin(ReceiverView view)
    {
        if (!view.IsQuiet)
        {
            return false;
        }

        _waitingSince = _waitingSince < view.Now ? _waitingSince : view.Now;
        long rounds = (view.Now - _waitingSince) / (view.Settings.DelayNanos + view.PathNanos);
        if (rounds > LimitRounds)
        {
            GaveUp = FormattableString.Invariant($"the sender never had more than {view.Flight} segments under way");
        }

        return view.Flight >= WantedFlight(view) || (rounds > PatienceRounds && view.Flight >= MinFlight);
    }

    Fate Begin(in Arrival arrival, ReceiverView view)
    {
        _waitingSince = TraceTime.Latest;
        return _trial!.Begin(arrival);
    }
}
