using System;
using System.Globalization;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>goodput below 1mbit for 5s</c>: a connection that is busy moves fewer new bytes than that, both directions together.</summary>
/// <param name="BitsPerSecond">The threshold.</param>
/// <param name="Time">For how long.</param>
public sealed record GoodputBelow(double BitsPerSecond, TimeSpan Time) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"goodput below {Rate} for {Time.TotalSeconds}s");

    // In the unit of the command line that leaves the number short.
    string Rate => FormattableString.Invariant(BitsPerSecond switch
    {
        >= 1e9 => $"{BitsPerSecond / 1e9}gbit",
        >= 1e6 => $"{BitsPerSecond / 1e6}mbit",
        >= 1e3 => $"{BitsPerSecond / 1e3}kbit",
        _ => $"{BitsPerSecond}bit",
    });

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new GoodputProbe(this);
}
