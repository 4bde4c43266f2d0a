namespace TcpDiag.Analysis.Results;

/// <summary>What made a sender send data again.</summary>
public enum RetransmissionTrigger : byte
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>SACK or duplicate-ACK evidence: fast retransmit (RFC 5681 §3.2, RFC 6675) or RACK (RFC 8985 §6).</summary>
    Fast = 1,

    /// <summary>A tail loss probe (RFC 8985 §7).</summary>
    Tlp = 2,

    /// <summary>The retransmission timer (RFC 6298 §5).</summary>
    Rto = 3,

    /// <summary>A retransmission was found lost, without the timer (RFC 8985 §3.2).</summary>
    LostRetransmission = 4,
}

/// <summary>Whether a retransmission was needed.</summary>
public enum RetransmissionNeed : byte
{
    /// <summary>Not known.</summary>
    Unknown = 0,

    /// <summary>The data had not arrived.</summary>
    Necessary = 1,

    /// <summary>Proven needless: a DSACK (RFC 2883), an older echoed timestamp (RFC 3522), or the original seen to arrive.</summary>
    Spurious = 2,

    /// <summary>Acknowledged sooner after the retransmission than any round trip takes.</summary>
    LikelySpurious = 3,
}

/// <summary>Retransmitted wire segments by what triggered them.</summary>
/// <param name="Fast">By SACK or duplicate-ACK evidence.</param>
/// <param name="Tlp">Tail loss probes.</param>
/// <param name="Rto">By the retransmission timer.</param>
/// <param name="LostRetransmission">Resent once more, without the timer.</param>
/// <param name="Unknown">Not known.</param>
public readonly record struct TriggerCounts(long Fast, long Tlp, long Rto, long LostRetransmission, long Unknown)
{
    /// <summary>All of them.</summary>
    public long Total => Fast + Tlp + Rto + LostRetransmission + Unknown;
}

/// <summary>Retransmitted wire segments by whether they were needed.</summary>
/// <param name="Necessary">The data had not arrived.</param>
/// <param name="Spurious">Proven needless.</param>
/// <param name="LikelySpurious">Probably needless.</param>
/// <param name="Unknown">Not known.</param>
public readonly record struct NeedCounts(long Necessary, long Spurious, long LikelySpurious, long Unknown)
{
    /// <summary>All of them.</summary>
    public long Total => Necessary + Spurious + LikelySpurious + Unknown;
}

/// <summary>Retransmissions by trigger and by need. Directions without any, which are most, share one object.</summary>
/// <param name="Triggers">What triggered them.</param>
/// <param name="Needs">Whether they were needed.</param>
sealed record RetransmissionCounts(TriggerCounts Triggers, NeedCounts Needs)
{
    static readonly RetransmissionCounts None = new(default, default);

    public static RetransmissionCounts Of(in TriggerCounts triggers, in NeedCounts needs) =>
        triggers == default && needs == default ? None : new(triggers, needs);
}
