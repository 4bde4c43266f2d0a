using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>What a direction that sends data needs beside its counters: send times, gaps and RTT samples, all bounded.</summary>
struct FlightState
{
    /// <summary>Send times kept at once; a power of two. Segments sent while it is full give no sample.</summary>
    public const int RingLength = 16;

    /// <summary>Gaps kept at once; of more, the oldest are forgotten.</summary>
    public const int HoleLength = 8;

    /// <summary>Send times of data not yet acknowledged, a ring.</summary>
    public SendTimes Ring;

    /// <summary>RTT samples.</summary>
    public RttSamples Rtt;

    /// <summary>Gaps, in the order they appeared.</summary>
    public Holes Gaps;

    /// <summary>Gaps in use.</summary>
    public int GapCount;

    /// <summary>The latest retransmission with a TSval of its own, while <see cref="DirectionMarks.EchoAwaited"/>.</summary>
    public SendTime Echo;

    /// <summary>Its TSval.</summary>
    public uint EchoTsVal;

    [InlineArray(RingLength)]
    public struct SendTimes
    {
        SendTime _first;
    }

    [InlineArray(HoleLength)]
    public struct Holes
    {
        SequenceHole _first;
    }
}
