namespace TcpDiag.Analysis.Timelines;

/// <summary>How much all timelines of a trace may hold together.</summary>
sealed class TimelineBudget
{
    /// <summary>Most items of one series.</summary>
    public int ItemsPerSeries { get; set; }

    /// <summary>Places held by all series.</summary>
    public long Held { get; set; }
}
