using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// The losses of one end's data as they are watched. Between losses what is kept of them has left the nearer caches: an acknowledgment that would change
/// nothing there does not fetch it.
/// </summary>
struct LossWatch
{
    Pooled<LossPatterns> _patterns;
    bool _awaitsNews; // an acknowledgment may change something

    /// <summary>What the losses have in common; none as long as nothing was sent again, and no SACK came without news.</summary>
    public readonly Pooled<LossPatterns> Patterns => _patterns;

    /// <summary>Whether ordinary acknowledgments may end something.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    /// <param name="pool">Where room is taken from.</param>
    public void OnResent(in SendState sent, in Segment segment, StructPool<LossPatterns> pool)
    {
        ref LossPatterns patterns = ref Of(pool);
        patterns.OnResent(sent, segment);
        IsOpen = patterns.BlackHole.IsOpen;
        _awaitsNews = true;
    }

    /// <summary>Takes in that the other end was heard.</summary>
    /// <param name="sent">The end that resent, after what it heard.</param>
    /// <param name="segment">What it heard.</param>
    /// <param name="pool">Where room is taken from.</param>
    public void OnHeard(in SendState sent, in Segment segment, StructPool<LossPatterns> pool)
    {
        if (!_awaitsNews && !segment.Ack.IsSackWithoutNews)
        {
            return;
        }

        ref LossPatterns patterns = ref Of(pool);
        patterns.OnHeard(sent, segment);
        IsOpen = patterns.BlackHole.IsOpen;
        _awaitsNews = IsOpen || patterns.Reassembly.IsCounting;
    }

    /// <summary>Gives the room back.</summary>
    public void Release(StructPool<LossPatterns> pool) => pool.Return(ref _patterns);

    ref LossPatterns Of(StructPool<LossPatterns> pool)
    {
        if (!_patterns.IsAny)
        {
            _patterns = pool.Take();
        }

        return ref _patterns.Value;
    }
}

/// <summary>What the losses of one end's data have in common. Taken from a pool with the first retransmission.</summary>
struct LossPatterns
{
    /// <summary>Whether full-sized segments do not arrive.</summary>
    public BlackHoleWatch BlackHole;

    /// <summary>Whether the receiver throws away what comes behind a hole.</summary>
    public ReassemblyWatch Reassembly;

    /// <summary>How fast data gets through between losses.</summary>
    public LossPace Pace;

    /// <summary>What of it was the end of a burst.</summary>
    public TailWatch Tails;

    /// <inheritdoc cref="LossWatch.OnResent"/>
    public void OnResent(in SendState sent, in Segment segment)
    {
        BlackHole.OnResent(sent, segment);
        Pace.OnResent(sent, segment);
        Tails.OnResent(sent, segment);
        Reassembly.OnResent(segment);
    }

    /// <inheritdoc cref="LossWatch.OnHeard"/>
    public void OnHeard(in SendState sent, in Segment segment)
    {
        BlackHole.OnHeard(sent.Space.SndUna, segment.Time);
        Reassembly.OnAcknowledgment(sent, segment);
    }
}

/// <summary>
/// Watches the ends of bursts that are lost: no later data could show it, so that a probe is sent about two round trips after the last news (RFC 8985 §7.2).
/// What is sent again of the same burst behind the probe belongs to it.
/// </summary>
struct TailWatch
{
    SequenceNumber _end; // behind the latest burst whose end was probed
    long _nanos;
    long _segments; // wire segments
    int _count;

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    public void OnResent(in SendState sent, in Segment segment)
    {
        bool isInside = _count > 0 && segment.Start < _end;
        bool hasNews = sent.Counts.UniqueBytes > 0 && sent.Times.LastNews >= sent.Times.FirstData;
        if (!isInside && hasNews && segment.Sent.Trigger == RetransmissionTrigger.Tlp)
        {
            _end = sent.Space.SndMax;
            _nanos += segment.Time - sent.Times.LastNews;
            _count++;
            isInside = true;
        }

        _segments += isInside ? segment.Sent.Retransmitted : 0;
    }

    /// <summary>What was found.</summary>
    /// <returns>Null without a probe.</returns>
    public readonly TailSummary? Summarise() => _count > 0 ? new(_count, _segments, _nanos) : null;
}
