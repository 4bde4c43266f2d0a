using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// A receiver that throws away what comes behind a hole, and what looks alike. Captured at the client, 40 ms from the server; instants in microseconds. Of 40
/// segments the first is lost, and it is resent at 83 ms; the second to fifth are SACKed, and the acknowledgments of the others say no more than that.
/// </summary>
public sealed class ReassemblyTests
{
    [Fact]
    public void Data_SentAgainThatHadCome_WasDropped()
    {
        MemoryTrace trace = WithHole(stale: 8).Packet(123_000, FromServer(1, 5001));
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(124_000 + i, FromClient(5001 + (i * 1000), 1, 1000));
        }

        Finding finding = trace.Packet(164_000, FromServer(1, 40_001)).Analyze().Findings.Single(found => found.Id is FindingIds.ReassemblyLimit);
        Assert.Equal("6", finding.Evidence[1].Value);
        Assert.True(finding.Evidence[1].FirstPacket > 50);
    }

    // The same acknowledgments, but when the hole is filled everything is there: SACK blocks were held back, or copied.
    [Fact]
    public void Data_ThatWasThereAllTheTime_WasNot() =>
        Assert.DoesNotContain(FindingIds.ReassemblyLimit, Ids(WithHole(stale: 8).Packet(123_000, FromServer(1, 40_001))));

    // Two such acknowledgments, then news: nothing out of the ordinary, though some of the rest is lost.
    [Fact]
    public void Losses_BehindFewStaleSacks_AreNone()
    {
        MemoryTrace trace = WithHole(stale: 2).Packet(123_000, FromServer(1, 5001));
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(124_000 + i, FromClient(5001 + (i * 1000), 1, 1000));
        }

        Assert.DoesNotContain(FindingIds.ReassemblyLimit, Ids(trace.Packet(164_000, FromServer(1, 40_001))));
    }

    static MemoryTrace WithHole(int stale)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).SackPermitted().WindowScale(7))
            .Packet(40_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).SackPermitted().WindowScale(7))
            .Packet(40_010, FromClient(1, 1));
        for (uint i = 0; i < 40; i++)
        {
            trace.Packet(42_000 + (i * 10), FromClient(1 + (i * 1000), 1, 1000));
        }

        for (uint i = 1; i < 5; i++)
        {
            trace.Packet(82_000 + i, Sacked(i));
        }

        trace.Packet(83_000, FromClient(1, 1, 1000));
        for (int i = 0; i < stale; i++)
        {
            trace.Packet(84_000 + (i * 1000), Sacked(4));
        }

        return trace;
    }

    static FrameBuilder Sacked(uint last) => FromServer(1, 1).Sack(unchecked(ClientIsn + 1001), unchecked(ClientIsn + 1001 + (last * 1000)));

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
