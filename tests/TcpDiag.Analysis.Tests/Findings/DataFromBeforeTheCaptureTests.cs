using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What had been sent before a capture that begins in a recovery is not missing in it. Instants in microseconds, a round trip of 20 ms.</summary>
public sealed class DataFromBeforeTheCaptureTests
{
    // A capture that begins in a recovery: of ten segments under way the even ones had arrived, the odd ones come again; then the sender goes on behind them.
    [Fact]
    public void Recovery_AtTheSender_GoesOnBehindWhatHadBeenSent()
    {
        var trace = new MemoryTrace();
        long time = 0;
        for (uint i = 0; i < 5; i++)
        {
            uint hole = 1 + (2 * i * 1000);
            trace.Packet(time += 100, FromServer(1, 1).Sack(unchecked(ClientIsn + hole + 1000), unchecked(ClientIsn + hole + 2000)));
            trace.Packet(time += 100, FromClient(hole, 1, 1000));
        }

        for (uint i = 0; i < 4; i++)
        {
            trace.Packet(time += 20_000, FromServer(1, 1 + (2 * (i + 1) * 1000)));
        }

        trace.Packet(time += 100, FromClient(12_001, 1, 1000));
        trace.Packet(time += 20_000, FromServer(1, 13_001));
        Assert.False(IsIncomplete(trace));
    }

    // The first segment of a capture is one that the path held up: the next had passed before the capture began, as its SACK shows, which comes sooner than any
    // for what was captured. One that comes later shows a packet that the recorder left out.
    [Theory]
    [InlineData(5_000, false)]
    [InlineData(25_000, true)]
    public void Data_OvertakenBeforeTheCapture_IsNotMissing(long sackTime, bool isIncomplete)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(1, 1, 1000))
            .Packet(500, FromClient(2001, 1, 1000))
            .Packet(600, FromClient(3001, 1, 1000));
        FrameBuilder sack = FromServer(1, 1).Sack(unchecked(ClientIsn + 1001), unchecked(ClientIsn + 2001));
        FrameBuilder ofCaptured = FromServer(1, 1).Sack(unchecked(ClientIsn + 3001), unchecked(ClientIsn + 4001));
        trace = sackTime < 20_000
            ? trace.Packet(sackTime, sack).Packet(20_600, ofCaptured)
            : trace.Packet(20_600, ofCaptured).Packet(sackTime, sack);
        trace.Packet(40_000, FromServer(1, 4001)).Packet(40_100, FromClient(4001, 1, 1000)).Packet(60_000, FromServer(1, 5001));
        Assert.Equal(isIncomplete, IsIncomplete(trace));
    }

    // The first segment of a capture is a repair: the acknowledgment of half of what lies behind it comes sooner than any for what was captured.
    [Theory]
    [InlineData(5_000, false)]
    [InlineData(25_000, true)]
    public void Data_SentBeforeARepairThatComesFirst_IsNotMissing(long time, bool isIncomplete)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(1, 1, 1000))
            .Packet(500, FromClient(5001, 1, 1000))
            .Packet(600, FromClient(6001, 1, 1000));
        trace = time < 20_000 ? trace : trace.Packet(20_500, FromServer(1, 1001));
        trace.Packet(time, FromServer(1, 3001)).Packet(time + 20_000, FromServer(1, 7001)).Packet(time + 20_100, FromClient(7001, 1, 1000));
        trace.Packet(time + 40_000, FromServer(1, 8001));
        Assert.Equal(isIncomplete, IsIncomplete(trace));
    }

    // A capture at the receiver begins in a recovery: repairs come from hole to hole, then new data. What lies between came before, but for what is left out
    // when all of that is acknowledged.
    [Theory]
    [InlineData(30_001, false)]
    [InlineData(31_001, true)]
    public void Data_SackedBeforeTheCapture_IsNotMissing(uint next, bool isIncomplete)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(5001, 1, 1000))
            .Packet(10, FromServer(1, 1).Sack(unchecked(ClientIsn + 5001), unchecked(ClientIsn + 6001)))
            .Packet(1000, FromClient(9001, 1, 1000))
            .Packet(1010, FromServer(1, 1).Sack(unchecked(ClientIsn + 9001), unchecked(ClientIsn + 10_001)))
            .Packet(2000, FromClient(20_001, 1, 1000))
            .Packet(2010, FromServer(1, 1).Sack(unchecked(ClientIsn + 20_001), unchecked(ClientIsn + 21_001)))
            .Packet(3000, FromClient(1, 1, 1000))
            .Packet(3010, FromServer(1, 21_001));
        for (uint start = 21_001; start < 30_001; start += 1000)
        {
            trace.Packet(4000 + start, FromClient(start, 1, 1000)).Packet(4010 + start, FromServer(1, start + 1000));
        }

        trace.Packet(50_000, FromClient(next, 1, 1000)).Packet(50_010, FromServer(1, next + 1000));
        Assert.Equal(isIncomplete, IsIncomplete(trace));
    }

    static bool IsIncomplete(MemoryTrace trace) => trace.Analyze().Findings.Any(found => found.Id is FindingIds.CaptureIncomplete);
}
