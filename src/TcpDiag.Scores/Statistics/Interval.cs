namespace TcpDiag.Scores.Statistics;

/// <summary>An interval of ratios.</summary>
/// <param name="Low">Its lower end.</param>
/// <param name="High">Its upper end.</param>
public readonly record struct Interval(double Low, double High);
