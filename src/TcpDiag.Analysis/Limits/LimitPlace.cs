namespace TcpDiag.Analysis.Limits;

/// <summary>Where time of a sender is booked: a state, by the numbers of <see cref="LimitState"/>, or a place where it waits until its state is known.</summary>
enum LimitPlace : byte
{
    Application = LimitState.Application,
    Idle = LimitState.Idle,
    SendBuffer = LimitState.SendBuffer,
    CongestionWindow = LimitState.CongestionWindow,
    ReceiveWindow = LimitState.ReceiveWindow,
    Pacing = LimitState.Pacing,
    Recovery = LimitState.Recovery,
    Timeout = LimitState.Timeout,
    Reassembly = LimitState.Reassembly,
    NotJudged = LimitState.NotJudged,

    /// <summary>Up to a send right after an acknowledgment, in a run at even distances: see <see cref="SendingRun"/>.</summary>
    RunAnswered,

    /// <summary>Up to another send of such a run.</summary>
    RunOpen,

    /// <summary>The same in a run, behind bursts with which all that was written had been sent.</summary>
    RunWritten,

    /// <summary>Up to a send right after an acknowledgment, which may be so by chance: see <see cref="BlockedWriter"/>.</summary>
    Chance,

    /// <summary>Up to a send long after the acknowledgment that made room in a full send buffer: see <see cref="BlockedWriter"/>.</summary>
    LateWriter,

    /// <summary>Behind a burst that left less in flight than a full send buffer does most often: see <see cref="Limits.LesserFill"/>.</summary>
    LesserFill,

    /// <summary>A congestion window or a send buffer was full: see <see cref="FlightPlateau"/>.</summary>
    Level,

    /// <summary>A congestion window was full at the highest level so far, or a send buffer that is not known yet: see <see cref="FlightPlateau"/>.</summary>
    Crest,

    /// <summary>Up to where the sender will have sent a probe that was lost: of new data, if some was left.</summary>
    Probe,

    /// <summary>Recovery while SACKs may have nothing new to tell: see <see cref="StaleSacks"/>.</summary>
    Stale,
}
