using System;
using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace TcpDiag.Lab.Results;

/// <summary>When a cell has run often enough.</summary>
/// <param name="Error">Chance of any wrong verdict, over all cells.</param>
/// <param name="Margin">Differences that do not matter.</param>
/// <param name="Judge">Judges a cell: it gets the experiment with no other runs than the finished iterations of that cell, and the cell's name.</param>
public sealed record StoppingRule(double Error, double Margin, Func<LabRunDocument, string, IReadOnlyList<SideDecision>> Judge);

/// <summary>How an experiment stands that goes on until it is decided.</summary>
/// <param name="Error">Chance of any wrong verdict, over all cells.</param>
/// <param name="Margin">Differences that do not matter.</param>
/// <param name="MaxIterations">Where a cell ends undecided.</param>
/// <param name="Decisions">Each side but the first, of each cell that has finished an iteration.</param>
public sealed record DecisionSummary(double Error, double Margin, int MaxIterations, IReadOnlyList<SideDecision> Decisions);

/// <summary>How a side of a cell stands against the first.</summary>
/// <param name="Cell">The cell's name.</param>
/// <param name="Reference">The first side.</param>
/// <param name="Side">The side.</param>
/// <param name="Verdict">The verdict on its goodput.</param>
/// <param name="Ratio">Its goodput over the first side's, the middle of the pairs; null where it is not known, or not finite.</param>
/// <param name="Low">Lower end of the interval of that ratio, which holds however often one looks; 0 where there is none yet.</param>
/// <param name="High">Upper end; null where there is none yet.</param>
/// <param name="Pairs">Pairs of runs that were compared.</param>
/// <param name="LeftOut">Finished iterations without such a pair.</param>
public sealed record SideDecision(
    string Cell, string Reference, string Side, DecisionVerdict Verdict, double? Ratio, double Low, double? High, int Pairs, int LeftOut);

/// <summary>The verdict on a side's goodput against that of the first.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DecisionVerdict>))]
public enum DecisionVerdict
{
    /// <summary>Not decided.</summary>
    [JsonStringEnumMemberName("open")]
    Open,

    /// <summary>It is lower.</summary>
    [JsonStringEnumMemberName("regressed")]
    Regressed,

    /// <summary>The difference does not matter.</summary>
    [JsonStringEnumMemberName("equal")]
    Equal,

    /// <summary>It is higher.</summary>
    [JsonStringEnumMemberName("improved")]
    Improved,
}
