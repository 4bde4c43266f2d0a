using System;
using System.Globalization;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>retransmissions above 1pct for 5s</c>: of the segments a connection sends, more than that are sent again.</summary>
/// <param name="Share">The threshold, 0 to 1.</param>
/// <param name="Time">For how long.</param>
public sealed record RetransmissionsAbove(double Share, TimeSpan Time) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"retransmissions above {Share * 100}pct for {Time.TotalSeconds}s");

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new RetransmissionProbe(this);
}
