using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// Messages written in two small pieces, and what looks alike. The server is 4 ms from the client and delays acknowledgments by 40 ms. Instants in
/// microseconds; each message begins a second after the one before.
/// </summary>
public sealed class NagleTests
{
    const int RoundTrip = 4000;
    const int Delay = 40_000;

    // The second piece leaves with the acknowledgment of the first. Captured at the client, half way, and at the server.
    [Theory]
    [InlineData(RoundTrip)]
    [InlineData(RoundTrip / 2)]
    [InlineData(50)]
    public void SecondPiece_LeavingWithTheDelayedAck_Waits(int toServer)
    {
        Finding finding = Messages(toServer, afterAck: 30, 20).Analyze().Findings.Single(found => found.Id is FindingIds.NagleDelayedAck);
        Assert.Equal(0.8, finding.SecondsLost!.Value, 2); // 20 times 40 ms
        Assert.Equal("20 of 20 delayed acknowledgments", finding.Evidence[0].Value);
        Assert.Equal(6, finding.Evidence[0].FirstPacket);
        Assert.True(finding.IsFromClient);
    }

    [Fact]
    public void TwoWaits_MayBeChance() => Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(Messages(RoundTrip, afterAck: 30, 2)));

    // A chat: nothing waits for the acknowledgment, the user types on after 3 ms at the earliest.
    [Theory]
    [InlineData(3_000)]
    [InlineData(300_000)]
    public void NextPiece_WrittenLater_DidNotWait(int afterAck) =>
        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(Messages(RoundTrip, afterAck, 20)));

    // At the server an answer may vary with the path; one that always comes 2.7 ms after the path allows is a rhythm of the program's own.
    [Fact]
    public void NextPiece_AlwaysAsLongAfterTheAck_AtTheServer_DidNotWait() =>
        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(Messages(toServer: 50, afterAck: 2_700, 20)));

    // Requests whose answers take 100 ms: the delayed acknowledgment comes before, and the client's next request answers the answer.
    [Fact]
    public void Requests_AnsweredAfterTheDelayedAck_DoNotWait()
    {
        MemoryTrace trace = OpenedAt(RoundTrip);
        for (uint i = 0; i < 20; i++)
        {
            long time = 100_000 + (i * 200_000);
            trace.Packet(time, FromClient(1 + (i * 100), 1 + (i * 500), 100))
                .Packet(time + RoundTrip + Delay, FromServer(1 + (i * 500), 101 + (i * 100)))
                .Packet(time + RoundTrip + 100_000, FromServer(1 + (i * 500), 101 + (i * 100), 500))
                .Packet(time + RoundTrip + 100_500, FromClient(101 + (i * 100), 501 + (i * 500)));
        }

        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(trace));
    }

    // One full segment at a time: a window of one segment, which the delayed acknowledgment opens. Nagle never holds a full segment back.
    [Fact]
    public void FullSegments_DoNotWaitForNagle()
    {
        MemoryTrace trace = OpenedAt(RoundTrip);
        for (uint i = 0; i < 20; i++)
        {
            long time = 100_000 + (i * (RoundTrip + Delay + 30));
            trace.Packet(time, FromClient(1 + (i * 1460), 1, 1460)).Packet(time + RoundTrip + Delay, FromServer(1, 1461 + (i * 1460)));
        }

        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(trace));
    }

    // With TCP_NODELAY both pieces leave at once, and the delayed acknowledgment of the last one holds nobody.
    [Fact]
    public void BothPieces_AtOnce_DoNotWait()
    {
        MemoryTrace trace = OpenedAt(RoundTrip);
        for (uint i = 0; i < 20; i++)
        {
            long time = 100_000 + (i * 1_000_000);
            trace.Packet(time, FromClient(1 + (i * 300), 1, 100)).Packet(time + 20, FromClient(101 + (i * 300), 1, 200))
                .Packet(time + RoundTrip + Delay, FromServer(1, 301 + (i * 300)));
        }

        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(trace));
    }

    // A path of 300 ms: an acknowledgment that takes as long was not held back, though a program that waits for it sends at once.
    [Fact]
    public void LongPath_IsNoDelay()
    {
        MemoryTrace trace = OpenedAt(300_000);
        for (uint i = 0; i < 20; i++)
        {
            long time = 1_000_000 + (i * 310_100);
            trace.Packet(time, FromClient(1 + (i * 100), 1, 100)).Packet(time + 310_000, FromServer(1, 101 + (i * 100)));
        }

        Assert.DoesNotContain(FindingIds.NagleDelayedAck, Ids(trace));
    }

    static MemoryTrace OpenedAt(int toServer, int roundTrip = 0) => new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(7))
        .Packet(toServer, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(7))
        .Packet(System.Math.Max(toServer, roundTrip) + 10, FromClient(1, 1));

    // 100 bytes, their delayed acknowledgment, and 200 more so long after it has come to the client.
    static MemoryTrace Messages(int toServer, int afterAck, uint count)
    {
        MemoryTrace trace = OpenedAt(toServer, RoundTrip);
        int toClient = RoundTrip - toServer;
        for (uint i = 0; i < count; i++)
        {
            long time = 100_000 + (i * 1_000_000);
            long acked = time + toServer + Delay;
            long rest = acked + toClient + afterAck;
            trace.Packet(time, FromClient(1 + (i * 300), 1 + (i * 50), 100))
                .Packet(acked, FromServer(1 + (i * 50), 101 + (i * 300)))
                .Packet(rest, FromClient(101 + (i * 300), 1 + (i * 50), 200))
                .Packet(rest + toServer + 10, FromServer(1 + (i * 50), 301 + (i * 300), 50))
                .Packet(rest + toServer + toClient + 40_000, FromClient(301 + (i * 300), 51 + (i * 50)));
        }

        return trace;
    }

    static IEnumerable<string> Ids(MemoryTrace trace) => trace.Analyze().Findings.Select(found => found.Id);
}
