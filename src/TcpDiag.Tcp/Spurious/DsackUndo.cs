namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// Proof by DSACK that a whole recovery was unnecessary (RFC 3708 §3): every segment retransmitted in it was reported as a duplicate, and
/// nothing else was. A duplicate that no retransmission explains means that the network duplicates packets, and nothing is proved.
/// The default value is a recovery in which nothing was retransmitted yet.
/// </summary>
public struct DsackUndo
{
    int _retransmitted;
    int _reported;

    /// <summary>Whether a duplicate was reported that no retransmission explains.</summary>
    public bool HasUnexplainedDuplicate { get; private set; }

    /// <summary>Whether every retransmitted segment was reported as a duplicate.</summary>
    public readonly bool IsSpurious => !HasUnexplainedDuplicate && _retransmitted > 0 && _reported == _retransmitted;

    /// <summary>A segment was retransmitted.</summary>
    public void OnSegmentRetransmitted() => _retransmitted++;

    /// <summary>A DSACK arrived.</summary>
    /// <param name="unreportedRetransmissions">
    /// Segments retransmitted in this recovery that the block covers and that were not reported before, from the caller's scoreboard.
    /// </param>
    public void OnDsack(int unreportedRetransmissions)
    {
        _reported += unreportedRetransmissions;
        HasUnexplainedDuplicate |= unreportedRetransmissions <= 0;
    }
}

/// <summary>The Eifel detection (RFC 3522): the timestamp of the first acknowledgment after a retransmission shows which transmission it answers.</summary>
public static class Eifel
{
    /// <summary>Whether an acknowledgment proves a retransmission unnecessary: it echoes a timestamp older than the retransmission's.</summary>
    /// <param name="echoedTsval">TSecr of the first acknowledgment that covers the retransmission.</param>
    /// <param name="retransmitTsval">RetransmitTS: TSval of the first retransmission of the episode.</param>
    /// <returns>True when the original arrived. Equal timestamps prove nothing: the clock may not have ticked.</returns>
    public static bool IsSpurious(uint echoedTsval, uint retransmitTsval) => unchecked((int)(echoedTsval - retransmitTsval)) < 0;
}
