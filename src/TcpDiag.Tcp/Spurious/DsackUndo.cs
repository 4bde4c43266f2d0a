namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// Proof by DSACK that a whole recovery was needless (RFC 3708 §3): every segment resent in it was reported as a duplicate, and nothing
/// else was. A duplicate that no resending explains means that the network replicates packets, which spoils the proof.
/// The default value is a recovery in which nothing was resent yet.
/// </summary>
public struct DsackUndo
{
    int _resent;
    int _reported;

    /// <summary>Whether an unexplained duplicate was reported.</summary>
    public bool IsSpoilt { get; private set; }

    /// <summary>Whether every resent segment was reported as a duplicate.</summary>
    public readonly bool IsSpurious => !IsSpoilt && _resent > 0 && _reported == _resent;

    /// <summary>A segment was resent.</summary>
    public void OnSegmentResent() => _resent++;

    /// <summary>A DSACK arrived.</summary>
    /// <param name="unreportedResends">Segments resent in this recovery that the block covers and that were not reported before; the caller's scoreboard knows.</param>
    public void OnDsack(int unreportedResends)
    {
        _reported += unreportedResends;
        IsSpoilt |= unreportedResends <= 0;
    }
}
