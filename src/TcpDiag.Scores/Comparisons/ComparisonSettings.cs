namespace TcpDiag.Scores.Comparisons;

/// <summary>How to compare.</summary>
public sealed record ComparisonSettings
{
    /// <summary>Level of the tests, and 1 − the intervals' confidence.</summary>
    public const double Level = 0.05;

    /// <summary>Confidence of the intervals.</summary>
    public const double Confidence = 1 - Level;

    /// <summary>Runs a side of a cell needs: of fewer the bootstrap interval is too narrow (docs/commands/compare.md).</summary>
    public const int LeastRuns = 5;

    /// <summary>The part by which goodput may differ without mattering: ratios from 1 / (1 + margin) to 1 + margin are equal. At least 0.</summary>
    public double Margin { get; init; } = 0.05;

    /// <summary>Seed of the resampling.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>How often runs are drawn again for an interval.</summary>
    public int Resamples { get; init; } = 10_000;
}
