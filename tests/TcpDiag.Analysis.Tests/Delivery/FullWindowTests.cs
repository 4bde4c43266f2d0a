using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Results;
using Xunit;

namespace TcpDiag.Analysis.Tests.Delivery;

public sealed class FullWindowTests
{
    const long Ms = 1_000_000;

    // A window of 10,000 bytes is full for 8 of each 10 ms, round trips of 10 ms: 10,000 bytes each 10 ms allow 8 Mbit/s, and as much is sent.
    [Fact]
    public void Add_WindowInEachRoundTrip_GoesAsFastAsItAllows()
    {
        var window = new FullWindow();
        for (int i = 0; i < 5; i++)
        {
            window.Add(new((10 * i * Ms) + (2 * Ms)), new(10 * (i + 1) * Ms), 10_000, new((uint)(10_000 * (i + 1))), 10 * Ms);
        }

        FullWindowSummary summary = window.Summary!;
        Assert.Equal(10_000, summary.Bytes);
        Assert.Equal(8e6, summary.CeilingBitsPerSecond, 1.0);
        Assert.Equal(8e6, summary.BitsPerSecond, 1.0);
    }

    // More than a round trip from one full window to the next: in between something else held the sender.
    [Fact]
    public void Add_FarApart_TellsNoRate()
    {
        var window = new FullWindow();
        window.Add(new(0), new(8 * Ms), 10_000, new(10_000), 10 * Ms);
        window.Add(new(100 * Ms), new(108 * Ms), 10_000, new(20_000), 10 * Ms);
        Assert.Null(window.Summary);
    }
}
