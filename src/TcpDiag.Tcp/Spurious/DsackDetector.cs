using TcpDiag.Wire;

namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// Recognises duplicate reports (DSACK, RFC 2883 §4) in the SACK blocks of one acknowledgment. Only the first block can be one. A report
/// stands for one arrival and is not repeated, so a count is a lower bound; of a partial duplicate it covers only the duplicate part.
/// </summary>
public static class DsackDetector
{
    /// <summary>Classifies the only SACK block of an acknowledgment.</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment of the same segment.</param>
    /// <param name="first">The block.</param>
    /// <returns>The form; None also for a block that is empty or reversed.</returns>
    public static DsackForm Classify(SequenceNumber acknowledgment, SackBlock first) =>
        first.Left < first.Right && first.Right <= acknowledgment ? DsackForm.BelowAck : DsackForm.None;

    /// <summary>Classifies the first of several SACK blocks.</summary>
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

/// <summary>The forms in which the first SACK block reports a duplicate (RFC 2883 §4).</summary>
public enum DsackForm
{
    /// <summary>The block reports new data: no DSACK.</summary>
    None,

    /// <summary>The block lies below the cumulative acknowledgment (§4.1).</summary>
    BelowAck,

    /// <summary>The block lies inside the second block, above the cumulative acknowledgment (§4.1, §4.2).</summary>
    InsideSecondBlock,
}
