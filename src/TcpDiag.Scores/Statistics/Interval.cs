namespace TcpDiag.Scores.Statistics;

/// <summary>An interval of ratios, or of their logarithms.</summary>
/// <param name="Low">Its lower end.</param>
/// <param name="High">Its upper end.</param>
public readonly record struct Interval(double Low, double High);

/// <summary>What was found, and between what bounds it lies.</summary>
/// <param name="Value">The estimate.</param>
/// <param name="Bounds">Its 95 % interval.</param>
readonly record struct Estimate(double Value, Interval Bounds);
