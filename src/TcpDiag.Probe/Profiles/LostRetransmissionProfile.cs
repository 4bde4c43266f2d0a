using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Results;
using TcpDiag.Probe.Trials;

namespace TcpDiag.Probe.Profiles;

/// <summary>
/// Loses single segments and their first retransmissions while others go on arriving: RACK finds that out a round trip and a reordering window after the
/// retransmission (RFC 8985 §3.2), other senders with the retransmission timer.
/// </summary>
public sealed class LostRetransmissionProfile : HoleProfile
{
    const int Holes = 8;

    // SRTT for the round trip, SRTT for the widest window, and room for a timer's tick: what comes later was the retransmission timer.
    const double SoonSrtts = 2.3;

    readonly List<HoleTrial> _trials = [];
    long _latestSrtt;

    /// <inheritdoc/>
    public override string Name => "lost-retransmission";

    private protected override bool HasNext => _trials.Count < Holes;

    /// <inheritdoc/>
    public override IReadOnlyList<ProbeReading> Read(ReceiverView view, string end)
    {
        const string Found = "lost retransmissions sent again without RTO";
        const string After = "second retransmission after the first";
        HoleTrial[] trials = [.. Answered];
        if (trials.Length == 0)
        {
            return [ProbeReading.Missing(Found, "of 1", "all", GaveUp ?? end), ProbeReading.Missing(After, "SRTT", "1.25, at most 2", GaveUp ?? end)];
        }

        double part = (double)trials.Count(IsSoon) / trials.Length;
        double[] times = [.. trials.Select(Srtts).Order()];
        return
        [
            ProbeReading.Of(Found, "of 1", new Interval(part, part), trials.Length, "all"),
            ProbeReading.Of(After, "SRTT", new Interval(times[0], times[^1]), trials.Length, "1 to 2"),
        ];
    }

    /// <inheritdoc/>
    public override string Summarise(ReceiverView view, string end)
    {
        HoleTrial[] trials = [.. Answered];
        int soon = trials.Count(IsSoon);
        return trials.Length == 0 ? $"Nothing can be said of lost retransmissions, because {GaveUp ?? end}."
            : soon == trials.Length ? $"It finds that a retransmission was lost and sends it again without a timeout, {soon} times of {soon}."
            : soon == 0 ? $"A lost retransmission waits for the retransmission timer, {trials.Length} times of {trials.Length}."
            : $"It sends a lost retransmission again without a timeout {soon} times of {trials.Length}.";
    }

    private protected override HolePlan Next(ReceiverView view) => new(LateNanos: null, LostRetransmissions: 1);

    private protected override void OnOver(HoleTrial trial, ReceiverView view)
    {
        _trials.Add(trial);
        _latestSrtt = view.SrttNanos;
    }

    IEnumerable<HoleTrial> Answered => _trials.Where(trial => trial.SecondRetransmissionNanos is not null);

    bool IsSoon(HoleTrial trial) => Srtts(trial) <= SoonSrtts;

    double Srtts(HoleTrial trial) => (double)trial.SecondRetransmissionNanos!.Value / Math.Max(_latestSrtt, 1);
}
