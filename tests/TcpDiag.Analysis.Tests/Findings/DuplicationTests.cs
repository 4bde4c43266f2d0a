using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>Packets that come twice though they were sent once, and what looks alike. Captured at the server, 20 ms from the client; instants in
/// microseconds.</summary>
public sealed class DuplicationTests
{
    // Every tenth of 60 segments comes twice, 30 µs apart.
    [Fact]
    public void SameIdentificationAtOnce_IsACopyOfTheNetwork()
    {
        Finding finding = Upload(60, i => i % 10 == 5).Analyze().Findings.Single(found => found.Id is FindingIds.DuplicatedByNetwork);
        Assert.Equal(("6 packets of the upload arrived twice, though the client sent each once.", 0.9), (finding.Title, finding.Confidence));
        Assert.Equal(("6 of 60", 15), (finding.Evidence[0].Value, finding.Evidence[0].FirstPacket)); // behind handshake, six segments and their acknowledgments
        Assert.DoesNotContain("mirror port", finding.Advice[0], System.StringComparison.Ordinal);
    }

    [Fact]
    public void EverySegmentTwice_IsTheRecordings()
    {
        Finding finding = Upload(60, i => true).Analyze().Findings.Single(found => found.Id is FindingIds.DuplicatedByNetwork);
        Assert.Equal(0.5, finding.Confidence);
        Assert.Contains("mirror port", finding.Advice[0], System.StringComparison.Ordinal);
    }

    [Fact]
    public void TwoCopies_AreNotReported() => Assert.DoesNotContain(FindingIds.DuplicatedByNetwork, Ids(Upload(60, i => i is 7 or 9)));

    // Sent again for nothing, by a timer that is too short: other packets of the sender, whatever they carry.
    [Fact]
    public void Retransmissions_AreNoCopies() => Assert.DoesNotContain(FindingIds.DuplicatedByNetwork, Ids(Upload(60, i => i % 10 == 5, newId: true)));

    // Some stacks resend with the identification of the original (RFC 1122 §3.2.1.5), but not at once.
    [Fact]
    public void Retransmissions_WithTheSameIdentification_AreNoCopies()
    {
        MemoryTrace trace = Opened();
        for (uint i = 0; i < 8; i++)
        {
            long time = 100_000 + (i * 300_000);
            trace.Packet(time, Data(i, (ushort)(100 + i))).Packet(time + 200_000, Data(i, (ushort)(100 + i)))
                .Packet(time + 200_100, FromServer(1, 1001 + (i * 1000)));
        }

        Assert.DoesNotContain(FindingIds.DuplicatedByNetwork, Ids(trace));
    }

    // Captured at the sender: only what comes back shows the copies.
    [Theory]
    [InlineData(4, true)]
    [InlineData(2, false)]
    public void Dsacks_ForWhatWasSentOnce_ShowCopies(uint copies, bool isFound)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).SackPermitted())
            .Packet(20_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).SackPermitted())
            .Packet(20_010, FromClient(1, 1));
        for (uint i = 0; i < 20; i++)
        {
            long time = 30_000 + (i * 30_000);
            trace.Packet(time, FromClient(1 + (i * 1000), 1, 1000)).Packet(time + 20_000, FromServer(1, 1001 + (i * 1000)));
            if (i < copies)
            {
                trace.Packet(time + 20_050, FromServer(1, 1001 + (i * 1000)).Sack(
                    unchecked(ClientIsn + 1 + (i * 1000)), unchecked(ClientIsn + 1001 + (i * 1000))));
            }
        }

        Assert.Equal(isFound, Ids(trace).Contains(FindingIds.DuplicatedByNetwork));
    }

    static MemoryTrace Upload(uint segments, System.Func<uint, bool> isTwice, bool newId = false)
    {
        MemoryTrace trace = Opened();
        ushort id = 100;
        for (uint i = 0; i < segments; i++)
        {
            long time = 30_000 + (i * 1000);
            trace.Packet(time, Data(i, id++));
            if (isTwice(i))
            {
                trace.Packet(time + 30, Data(i, newId ? id++ : (ushort)(id - 1)));
            }

            trace.Packet(time + 100, FromServer(1, 1001 + (i * 1000)));
        }

        return trace;
    }

    static FrameBuilder Data(uint index, ushort id) => FromClient(1 + (index * 1000), 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: id);

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
