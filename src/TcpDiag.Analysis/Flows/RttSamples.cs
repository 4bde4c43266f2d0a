using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// The first samples of a direction as they are. When there are more, the same place holds the steps of the histogram that
/// have a count, and when there are more of these, a histogram is taken: most directions never need the 1.7 kB.
/// </summary>
struct RttSamples
{
    /// <summary>Samples kept exactly.</summary>
    public const int ExactLength = 8;

    /// <summary>Samples taken.</summary>
    public long Count;

    /// <summary>Smallest, nanoseconds.</summary>
    public long Min;

    /// <summary>Largest, nanoseconds.</summary>
    public long Max;

    /// <summary>The first samples, nanoseconds.</summary>
    public ExactSamples Exact;

    /// <summary>Steps in <see cref="Exact"/>, once there are more than <see cref="ExactLength"/> samples.</summary>
    public int Steps;

    /// <summary>Where the samples are counted; none as long as there are few.</summary>
    public Pooled<RttHistogram> Histogram;

    [InlineArray(ExactLength)]
    public struct ExactSamples
    {
        long _first;
    }
}
