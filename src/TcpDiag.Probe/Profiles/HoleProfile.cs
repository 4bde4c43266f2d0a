using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>A script of one hole after the other, each when the sender has recovered from the one before.</summary>
public abstract class HoleProfile : ProbeProfile
{
    // Round trips after which nothing more is waited for.
    const int LimitRounds = 250;

    // Three segments above the hole show DupThresh, and the others that it was not that.
    const int MinFlight = 6;

    readonly FlightWait _wait = new(MinFlight, LimitRounds);
    HoleTrial? _trial;

    /// <inheritdoc/>
    public sealed override bool IsDone => GaveUp is not null || (_trial is null && !HasNext);

    /// <inheritdoc/>
    public sealed override bool ReportsDuplicates => _trial is null || _trial.Plan.ReportsDuplicate;

    /// <summary>Why no further trial was begun; null when none was missing.</summary>
    private protected string? GaveUp => _wait.GaveUp;

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

        return view.IsQuiet && _wait.IsOver(view, WantedFlight(view)) ? _trial.Begin(arrival) : Fate.Arrives;
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
}
