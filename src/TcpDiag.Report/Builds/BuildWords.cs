using System;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Builds;

/// <summary>Shares of builds in words and colours.</summary>
static class BuildWords
{
    // From where on a share is coloured faintly, more, and strongly.
    static readonly double[] Rare = [0.001, 0.01, 0.05];
    static readonly double[] OfResent = [0.05, 0.2, 0.5];
    static readonly double[] OfTime = [0.25, 0.5, 0.75];

    /// <summary>A share; a dash where it is not known.</summary>
    public static string Share(double? share) => share switch
    {
        null => "-",
        0 => "0 %",
        < 0.0001 => "< 0.01 %",
        < 0.1 => FormattableString.Invariant($"{share * 100:0.00} %"),
        _ => FormattableString.Invariant($"{share * 100:0.0} %"),
    };

    /// <summary>Its interval as markup; empty without one.</summary>
    public static string Interval(MachineShare share) => share is { Low: { } low, High: { } high } ? $"<br><small>{Share(low)} to {Share(high)}</small>"
        : string.Empty;

    /// <summary>Over how many machines it is.</summary>
    public static string Basis(MachineShare share) => $"median of {Quantity.Count(share.Machines, "machine")}";

    /// <summary>How strongly a share is coloured.</summary>
    /// <returns>0 for no colour, to 3.</returns>
    public static int Step(BuildShare share, MachineShare value) => StepsOf(share.Id).Count(step => value.Median >= step);

    static double[] StepsOf(string id) => id switch
    {
        "timeLost" or "loss" or "reordering" => Rare,
        "needless" or "timeouts" => OfResent,
        _ => OfTime,
    };
}
