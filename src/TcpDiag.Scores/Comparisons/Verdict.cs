namespace TcpDiag.Scores.Comparisons;

/// <summary>What a comparison says of B, measured by A.</summary>
public enum Verdict
{
    /// <summary>The runs do not tell; the reason is given.</summary>
    NotEnoughEvidence,

    /// <summary>B is better, by more than the margin.</summary>
    Improved,

    /// <summary>B is worse, by more than the margin.</summary>
    Regressed,

    /// <summary>Whatever difference there is lies within the margin.</summary>
    Equal,
}
