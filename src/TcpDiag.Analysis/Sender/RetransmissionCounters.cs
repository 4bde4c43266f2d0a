using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Sender;

/// <summary>The retransmissions of one end, counted by trigger and need as a sender may know it.</summary>
struct RetransmissionCounters
{
    ByTrigger _triggers;
    ByNeed _seen; // of what had passed the capture point before
    ByNeed _filled; // of what had not

    /// <summary>Retransmissions whose trigger the sender's stack named.</summary>
    public long Named { get; private set; }

    /// <summary>Those of <see cref="Filled"/> whose original came all the same.</summary>
    public long Overtaken { get; private set; }

    /// <summary>
    /// Those of <see cref="Seen"/> that were needed and filled a hole in what the receiver had SACKed before they were sent, or that duplicate acknowledgments
    /// had asked for: their original passed the capture point and did not reach the receiver's TCP. Only what was sent again once: of more one may have been
    /// lost before the capture point, and the original late.
    /// </summary>
    public long LostBehind { get; private set; }

    /// <summary>By trigger.</summary>
    public readonly TriggerCounts Triggers => new(
        _triggers[(int)RetransmissionTrigger.Fast],
        _triggers[(int)RetransmissionTrigger.Tlp],
        _triggers[(int)RetransmissionTrigger.Rto],
        _triggers[(int)RetransmissionTrigger.LostRetransmission],
        _triggers[(int)RetransmissionTrigger.Unknown]);

    /// <summary>Of what had passed the capture point before, by need.</summary>
    public readonly NeedCounts Seen => CountsOf(_seen);

    /// <summary>Of what had not passed the capture point before, by need.</summary>
    public readonly NeedCounts Filled => CountsOf(_filled);

    /// <summary>Counts one by its trigger.</summary>
    /// <param name="trigger">What triggered it.</param>
    /// <param name="isNamed">Whether the sender's stack named that.</param>
    public void OnTriggered(RetransmissionTrigger trigger, bool isNamed)
    {
        Named += isNamed ? 1 : 0;
        _triggers[(int)trigger]++;
    }

    /// <summary>Counts one by its need.</summary>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        if (item.Is(RetransmissionMarks.WasMissing))
        {
            _filled[(int)need]++;
            Overtaken += item.Is(RetransmissionMarks.IsOvertaken) ? 1 : 0;
        }
        else
        {
            _seen[(int)need]++;
            bool wasHole = (item.Is(RetransmissionMarks.WasSackHole) && item.HoleTime < item.Time) || item.Is(RetransmissionMarks.WasAskedFor);
            LostBehind += wasHole && !item.Is(RetransmissionMarks.IsRepeated) && need == RetransmissionNeed.Necessary ? 1 : 0;
        }
    }

    static NeedCounts CountsOf(in ByNeed counters) => new(
        counters[(int)RetransmissionNeed.Necessary],
        counters[(int)RetransmissionNeed.Spurious],
        counters[(int)RetransmissionNeed.LikelySpurious],
        counters[(int)RetransmissionNeed.Unknown]);

    /// <summary>By <see cref="RetransmissionTrigger"/>.</summary>
    [InlineArray(5)]
    struct ByTrigger
    {
        long _first;
    }

    /// <summary>By <see cref="RetransmissionNeed"/>.</summary>
    [InlineArray(4)]
    struct ByNeed
    {
        long _first;
    }
}
