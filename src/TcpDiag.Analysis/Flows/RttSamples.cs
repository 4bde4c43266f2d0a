using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>The first samples of a direction as they are; when there are more, they move to a histogram.</summary>
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

    /// <summary>Number of the <see cref="RttHistogram"/>, plus one; 0 while the samples are exact.</summary>
    public int Histogram;

    [InlineArray(ExactLength)]
    public struct ExactSamples
    {
        long _first;
    }
}
