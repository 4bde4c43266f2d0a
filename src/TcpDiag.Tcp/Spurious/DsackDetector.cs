using TcpDiag.Wire;

namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// Recognises duplicate reports (DSACK, RFC 2883 §4) in the SACK blocks of one acknowledgment. Only the first block can be one. A report tells
/// of one arrival and is not repeated, so a count is a lower bound; of a partial duplicate it covers the duplicate part only.
/// </summary>
public static class DsackDetector
{
    /// <summary>Tells what the only SACK block of an acknowledgment reports.</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment of the same segment.</param>
    /// <param name="first">The block.</param>
    /// <returns>The form; None also for a block that is empty or reversed.</returns>
    public static DsackForm Classify(SequenceNumber acknowledgment, SackBlock first) =>
        first.Left < first.Right && first.Right <= acknowledgment ? DsackForm.BelowAck : DsackForm.None;

    /// <summary>Tells what the first of several SACK blocks reports.</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment of the same segment.</param>
    /// <param name="first">The first block.</param>
    /// <param name="second">The second block.</param>
    /// <returns>The form; None also for a first block that is empty or reversed.</returns>
    public static DsackForm Classify(SequenceNumber acknowledgment, SackBlock first, SackBlock second)
    {
        DsackForm alone = Classify(acknowledgment, first);
        bool isInside = first.Left < first.Right && first.Left >= second.Left && first.Right <= second.Right;
        return alone == DsackForm.None && isInside ? DsackForm.InsideSecondBlock : alone;
    }
}
