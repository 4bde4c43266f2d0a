using System;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Truth;

/// <summary>What the analysis of one capture says of what limited the sender.</summary>
/// <param name="Limits">Its verdict; null when it gives none.</param>
public sealed record ToldLimits(LimitSummary? Limits)
{
    /// <summary>Active time, seconds.</summary>
    public double ActiveSeconds => (Limits?.Times.Total ?? 0) / 1e9;

    /// <summary>Share of application and idle.</summary>
    public double Application => Share(LimitState.Application) + Share(LimitState.Idle);

    /// <summary>The largest share in a word.</summary>
    public string Main => Limits is null ? "not told" : Enum.GetValues<LimitState>().OrderByDescending(Share).Take(1)
        .Select(state => string.Create(CultureInfo.InvariantCulture, $"{state} {Share(state) * 100:0}")).Single();

    /// <summary>Share of a state.</summary>
    /// <param name="state">The state.</param>
    /// <returns>0 … 1; not a number when there is no verdict.</returns>
    public double Share(LimitState state) => Limits is null ? double.NaN : (double)Limits.Times.In(state) / Math.Max(Limits.Times.Total, 1);
}
