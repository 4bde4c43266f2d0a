using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>What a full wire segment holds, by the segments that were captured.</summary>
public sealed class SegmentSizesTests
{
    // 2896 bytes are two segments that the adapter cuts, and 300 may be the rest of others: what Ethernet takes, or the SYNs allow, is known.
    [Theory]
    [InlineData(0, 1460, 2896, 300)]
    [InlineData(0, 1460, 1696, 2896)]
    [InlineData(1448, 1448, 2896, 300)]
    [InlineData(0, 1448, 300, 1448)]
    [InlineData(0, 1460)]
    public void FullPayload_IsTheLargest_UnlessSegmentsAreOffloaded(int mss, int expected, params int[] payloads)
    {
        SegmentSizes sizes = new() { Mss = mss };
        foreach (int payload in payloads)
        {
            sizes.OnPayload(payload, new SequenceNumber(1), new SequenceNumber(1));
        }

        Assert.Equal(expected, sizes.FullPayload);
    }
}
