namespace TcpDiag.Capture;

/// <summary>Why a recording ended, in words that its result keeps (docs/formats/bundle.md).</summary>
public static class StopReasonText
{
    /// <summary>What is said of a recording that was found after a crash.</summary>
    public const string Found = "found after its process had gone";

    /// <summary>Tells why it ended.</summary>
    /// <param name="reason">The reason.</param>
    /// <param name="trigger">What had come true; null for nothing.</param>
    /// <returns>A clause.</returns>
    public static string Of(StopReason reason, Triggers.TriggerFiring? trigger) => reason switch
    {
        StopReason.Trigger => trigger!.What,
        StopReason.Duration => "time is up",
        StopReason.Size => "the trace has its size",
        StopReason.Disk => "the disk is nearly full",
        StopReason.Ended => "the session was ended by somebody else",
        _ => "told to stop",
    };
}
