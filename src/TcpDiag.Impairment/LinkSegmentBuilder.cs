using System.Collections.Generic;
using System.Linq;
using TcpDiag.Impairment.Queueing;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Stages;
using TcpDiag.Wire;

namespace TcpDiag.Impairment;

/// <summary>
/// Lines the stages of a segment up, in the order a packet meets them: blackout, loss, corruption, bottleneck, propagation, reordering, duplication. Only stages
/// that do something are there.
/// </summary>
static class LinkSegmentBuilder
{
    static readonly QueueDepth DefaultQueue = new(1000, QueueUnit.Packets);

    public static ILinkStage[] Build(LinkSettings settings, RandomStreams streams, long rttNs, TraceTime start)
    {
        List<ILinkStage> stages = [];
        stages.AddRange(settings.Blackouts.Select(window => new BlackoutStage(window, start)));
        stages.AddRange(settings.Losses.Select((loss, i) => new LossStage(loss.CreateModel(streams.Open(DecisionKind.Loss, i)))));
        AddCorruption(stages, settings, streams);
        AddBottleneck(stages, settings, rttNs);
        AddPropagation(stages, settings, streams);
        stages.AddRange(settings.Reorderings.Select((reordering, i) => reordering.CreateStage(streams.Open(DecisionKind.Reordering, i))));
        if (settings.Duplication is { } duplication)
        {
            stages.Add(new DuplicationStage(new Chance(duplication, streams.Open(DecisionKind.Duplication))));
        }

        return [.. stages];
    }

    static void AddCorruption(List<ILinkStage> stages, LinkSettings settings, RandomStreams streams)
    {
        if (settings.Corruption is { } corruption)
        {
            Chance chance = new(corruption, streams.Open(DecisionKind.Corruption));
            stages.Add(new CorruptionStage(chance, streams.Open(DecisionKind.CorruptedBit)));
        }
    }

    static void AddBottleneck(List<ILinkStage> stages, LinkSettings settings, long rttNs)
    {
        long rate = settings.RateBitsPerSecond;
        if (rate > 0)
        {
            QueueLimit limit = QueueLimit.Resolve(settings.Queue ?? DefaultQueue, rate, rttNs);
            QueueLimit markAt = QueueLimit.Resolve(settings.EcnThreshold, rate, rttNs);
            stages.Add(new BottleneckStage(new TokenBucket(rate, settings.BurstBytes), limit, markAt));
        }
    }

    static void AddPropagation(List<ILinkStage> stages, LinkSettings settings, RandomStreams streams)
    {
        JitterSource? jitter = settings.Jitter is { } j ? new JitterSource(j, streams.Open(DecisionKind.Jitter)) : null;
        if (settings.DelayNs > 0 || jitter is not null)
        {
            stages.Add(new PropagationStage(settings.DelayNs, jitter, settings.Jitter?.Reorders ?? false));
        }
    }
}
