using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment.Cross;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Queues;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Rates;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>The stages of a segment in the order a packet passes them.</summary>
/// <param name="Front">What it passes when it arrives; all of it where there is no server.</param>
/// <param name="Server">The queue it waits in then; null where its departure can be computed when it arrives.</param>
/// <param name="Rest">What it passes when it leaves that queue.</param>
sealed record SegmentStages(ILinkStage[] Front, LinkServerParts? Server, ILinkStage[] Rest)
{
    /// <summary>The stages among which reordering is.</summary>
    public ILinkStage[] AfterQueue => Server is null ? Front : Rest;
}

/// <summary>
/// Builds the stages of a segment: blackout, loss, corruption, bottleneck, propagation, slots, aggregation, reordering, duplication. Stages without effect are
/// left out.
/// </summary>
sealed class SegmentBuilder(LinkSettings settings, RandomStreams streams, long rttNanos, TraceTime start)
{
    // The streams of the phases of one stage lie so far apart: more stages of a kind than that are not given.
    const int StreamsPerPhase = 1 << 12;

    readonly LinkSettings[] _phases = [settings, .. settings.Changes.Select(change => change.Settings)];
    readonly TraceTime[] _from = [TraceTime.Earliest, .. settings.Changes.Select(change => start + change.AtNanos)];

    bool IsLimited => settings.Trace is not null || Array.Exists(_phases, phase => phase.RateBitsPerSecond > 0);

    bool NeedsServer => IsLimited && (settings.Discipline is not null || settings.Cross.Count > 0);

    public SegmentStages Build()
    {
        List<ILinkStage> front = [.. settings.Blackouts.Select(window => new BlackoutStage(window, start))];
        front.AddRange(PhasedLists(phase => phase.Losses, (loss, stream) => new LossStage(loss.CreateModel(streams.Open(DecisionKind.Loss, stream)))));
        front.AddRange(Phased(phase => phase.Corruption, (corruption, stream) => new CorruptionStage(
            new Chance(corruption, streams.Open(DecisionKind.Corruption, stream)), streams.Open(DecisionKind.CorruptedBit, stream))));
        List<ILinkStage> rest = [.. Propagation()];
        rest.AddRange(PhasedLists(phase => phase.Reorderings, (reordering, stream) => reordering.CreateStage(streams.Open(DecisionKind.Reordering, stream))));
        rest.AddRange(Phased(phase => phase.Duplication, (duplication, stream) => new DuplicationStage(
            new Chance(duplication, streams.Open(DecisionKind.Duplication, stream)))));
        if (NeedsServer)
        {
            return new SegmentStages([.. front], Server(), [.. rest]);
        }

        if (IsLimited)
        {
            front.Add(new BottleneckStage(Rate(), settings.Overhead, Limit(), MarkAt()));
        }

        return new SegmentStages([.. front, .. rest], null, []);
    }

    LinkServerParts Server()
    {
        QueueLimit limit = Limit();
        Func<IQueueEvents, IQueueDiscipline> create = settings.Discipline switch
        {
            CodelSettings codel => events => new CodelDiscipline(codel, limit, events),
            FqCodelSettings fair => events => new FqCodelDiscipline(fair, limit, events),
            PieSettings pie => events => new PieDiscipline(pie, limit, events, streams.Open(DecisionKind.Queue), start),
            _ => events => new FifoQueue(limit, events),
        };
        return new LinkServerParts(
            create, Rate(), settings.Overhead, limit, MarkAt(), settings.Cross.Count > 0 ? new CrossTraffic(settings.Cross, streams, start) : null);
    }

    ILinkRate Rate()
    {
        if (settings.Trace is { } trace)
        {
            return new TraceRate(trace, start);
        }

        List<(TraceTime From, long BitsPerSecond)> rates = Runs(phase => phase.RateBitsPerSecond);
        return rates.Count == 1 ? new TokenBucket(rates[0].BitsPerSecond, settings.BurstBytes)
            : new ScheduledRate([(start, rates[0].BitsPerSecond), .. rates[1..]], settings.BurstBytes);
    }

    QueueLimit Limit() =>
        QueueLimit.Resolve(settings.Queue ?? new QueueDepth(settings.Discipline?.DefaultPackets ?? 1000, QueueUnit.Packets), BdpRate, rttNanos);

    QueueLimit MarkAt() => QueueLimit.Resolve(settings.EcnThreshold, BdpRate, rttNanos);

    // Bandwidth–delay products are those of the beginning, or of the mean of a trace.
    long BdpRate => settings.Trace is { } trace ? (long)trace.BitsPerSecond : settings.RateBitsPerSecond;

    IEnumerable<ILinkStage> Propagation()
    {
        LastDeparture last = new();
        foreach (ILinkStage stage in Phased(
            phase => phase.DelayNanos > 0 || phase.Jitter is not null ? new DelayPhase(phase.DelayNanos, phase.Jitter) : null,
            (delay, stream) => new PropagationStage(
                delay.Nanos, delay.Jitter?.Create(streams.Open(DecisionKind.Jitter, stream)), delay.Jitter is { Reorders: true } ? null : last)))
        {
            yield return stage;
        }

        if (settings.Slots is { } slots)
        {
            yield return new SlotStage(slots, streams.Open(DecisionKind.Slots), start);
        }

        if (settings.Aggregation is { } aggregation)
        {
            yield return new AggregationStage(aggregation);
        }
    }

    IEnumerable<ILinkStage> PhasedLists<T>(Func<LinkSettings, IReadOnlyList<T>> select, Func<T, int, ILinkStage> create)
        where T : class
    {
        int longest = _phases.Max(phase => select(phase).Count);
        return Enumerable.Range(0, longest).SelectMany(i => Phased(phase => select(phase).ElementAtOrDefault(i), (item, stream) => create(item, stream + i)));
    }

    // One stage for the whole run, or one for each phase in which it differs; none where it is never there.
    IEnumerable<ILinkStage> Phased<T>(Func<LinkSettings, T?> select, Func<T, int, ILinkStage> create)
        where T : class
    {
        List<(TraceTime From, T? Value)> runs = Runs(select);
        StagePhase[] phases =
            [.. runs.Select((run, number) => new StagePhase(run.From, run.Value is { } value ? create(value, number * StreamsPerPhase) : null))];
        return phases switch
        {
            [{ Stage: null }] => [],
            [{ Stage: { } only }] => [only],
            _ => [new PhasedStage(phases)],
        };
    }

    // The phases as far as they differ in something.
    List<(TraceTime From, T Value)> Runs<T>(Func<LinkSettings, T> select)
    {
        List<(TraceTime From, T Value)> runs = [(_from[0], select(_phases[0]))];
        for (int i = 1; i < _phases.Length; i++)
        {
            T value = select(_phases[i]);
            if (!EqualityComparer<T>.Default.Equals(value, runs[^1].Value))
            {
                runs.Add((_from[i], value));
            }
        }

        return runs;
    }

    sealed record DelayPhase(long Nanos, JitterSettings? Jitter);
}
