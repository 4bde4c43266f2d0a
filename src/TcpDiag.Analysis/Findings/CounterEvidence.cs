using TcpDiag.Analysis.Limits;

namespace TcpDiag.Analysis.Findings;

/// <summary>Adds what the sender's own stack counted to the words of a finding.</summary>
static class CounterEvidence
{
    /// <summary>Adds the counter of a limit.</summary>
    /// <param name="text">The words.</param>
    /// <param name="direction">The direction.</param>
    /// <param name="state">The limit.</param>
    /// <returns>The words with it behind those before; the same where nothing was counted that can be compared.</returns>
    public static FindingText ShownCounter(this FindingText text, ConnectionDirection direction, LimitState state) =>
        direction.LimitCounters is { IsComparable: true, Times: { } times } counters
            ? text.Shown($"counted by the sender's Windows itself, as limited by {NameOf(state)}", $"{Quantity.Duration(Of(times, state))}", counters.Samples)
            : text;

    static long Of(in CountedLimits times, LimitState state) => state switch
    {
        LimitState.ReceiveWindow => times.ReceiveWindow,
        LimitState.CongestionWindow => times.Congestion,
        _ => times.Sender,
    };

    static string NameOf(LimitState state) => state switch
    {
        LimitState.ReceiveWindow => "the receive window",
        LimitState.CongestionWindow => "congestion control",
        _ => "the sender (application or send buffer)",
    };
}
