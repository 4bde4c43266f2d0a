using TcpDiag.Analysis.Sender;

namespace TcpDiag.Analysis.Patterns;

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

    /// <summary>Whether ordinary acknowledgments may end something.</summary>
    public readonly bool IsOpen => BlackHole.IsOpen;

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    public void OnResent(in SendState sent, in Segment segment)
    {
        BlackHole.OnResent(sent, segment);
        Pace.OnResent(sent, segment);
        Tails.OnResent(sent, segment);
        Reassembly.OnResent(segment);
    }

    /// <summary>Takes in that the other end was heard.</summary>
    /// <param name="sent">The end that resent, after what it heard.</param>
    /// <param name="segment">What it heard.</param>
    public void OnHeard(in SendState sent, in Segment segment)
    {
        BlackHole.OnHeard(sent.Space.SndUna, segment.Time);
        Reassembly.OnAcknowledgment(sent, segment);
    }
}
