using System;
using System.Globalization;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>goodput below 1mbit for 5s</c>: a connection that is busy moves fewer new bytes than that, both directions together.</summary>
/// <param name="BitsPerSecond">The threshold.</param>
/// <param name="Time">For how long.</param>
public sealed record GoodputBelow(double BitsPerSecond, TimeSpan Time) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"goodput below {BitsPerSecond}bit for {Time.TotalSeconds}s");

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new GoodputProbe(this);
}
