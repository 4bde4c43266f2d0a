using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>One wire segment that was sent again, kept until nothing can tell any more whether that was needed.</summary>
struct Resend : ISequenceRange
{
    /// <inheritdoc/>
    public SequenceNumber Start { get; set; }

    /// <inheritdoc/>
    public SequenceNumber End { get; set; }

    /// <summary>Number of its packet in the trace.</summary>
    public long Packet;

    /// <summary>When it was sent again.</summary>
    public TraceTime Time;

    /// <summary>When its data was first acknowledged or SACKed; valid with <see cref="ResendMarks.IsAcked"/>.</summary>
    public TraceTime AckedTime;

    /// <summary>When data above it was SACKed first; valid with <see cref="ResendMarks.WasSackHole"/>.</summary>
    public TraceTime HoleTime;

    /// <summary>SND.MAX when it was sent: what lies below was sent before it.</summary>
    public SequenceNumber SentMax;

    /// <summary>How the hole it filled had shown; valid with <see cref="ResendMarks.WasMissing"/>.</summary>
    public HoleOrigin Origin;

    /// <summary>Its TSval; valid with <see cref="ResendMarks.HasTsVal"/>.</summary>
    public uint TsVal;

    /// <summary>Its IPv4 identification; 0 without one.</summary>
    public ushort IpId;

    /// <summary>What triggered it.</summary>
    public RetransmissionTrigger Trigger;

    /// <summary>What is known about it.</summary>
    public ResendMarks Marks;

    /// <summary>Whether any of the marks is set.</summary>
    /// <param name="marks">The marks asked for.</param>
    /// <returns>True when at least one is.</returns>
    public readonly bool Is(ResendMarks marks) => (Marks & marks) != 0;

    /// <summary>Whether its data was acknowledged too soon for it by what is known by now: the round trip may have been thought longer at first.</summary>
    /// <param name="leastRtt">Shortest round trip between the capture point and the receiver, nanoseconds.</param>
    /// <returns>True when something else was acknowledged.</returns>
    public readonly bool WasTooSoon(long leastRtt) => Is(ResendMarks.IsTooSoon) && AckedTime - Time < leastRtt;
}
