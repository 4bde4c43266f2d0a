using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What the first data shows of a connection: when it came, and how far it went. Instants in microseconds.</summary>
public sealed class FirstDataTests
{
    // The handshake ends at 20.1 ms.
    [Theory]
    [InlineData(5_020_100, true)]
    [InlineData(1_020_000, false)]
    [InlineData(30_000, false)]
    public void FirstRequest_LongAfterTheHandshake_IsANote(long time, bool isFound)
    {
        Finding? finding = Opened().Packet(time, FromClient(1, 1, 100)).Packet(time + 100, FromServer(1, 101)).Analyze()
            .Findings.SingleOrDefault(found => found.Id is FindingIds.LateFirstRequest);
        Assert.Equal(isFound ? "The client sent its first request 5.00 s after the connection was open." : null, finding?.Title);
        Assert.Equal(isFound ? FindingSeverity.Note : null, finding?.Severity);
        Assert.Null(finding?.SecondsLost);
    }

    // SMTP, SSH, MySQL: the client waits for the server's greeting.
    [Fact]
    public void FirstRequest_BehindTheServersGreeting_IsNotLate() => Assert.DoesNotContain(FindingIds.LateFirstRequest, Ids(Opened()
        .Packet(5_000_000, FromServer(1, 1, 50)).Packet(5_020_000, FromClient(1, 51)).Packet(5_020_100, FromClient(1, 51, 100))));

    // Opened ahead, as browsers do, and never used.
    [Fact]
    public void NoRequest_IsNotLate() => Assert.DoesNotContain(
        FindingIds.LateFirstRequest, Ids(Opened().Packet(9_000_000, FromClient(1, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack))));

    // Milliseconds: SYN to SYN-ACK, whole handshake, smallest RTT sample of the upload.
    [Theory]
    [InlineData(1, 1, 50, 50_000, true)]
    [InlineData(1, 1, 20, 50_000, false)] // 19 ms more
    [InlineData(15, 15, 50, 50_000, false)] // not four times as far
    [InlineData(40, 40, 40, 50_000, false)]
    [InlineData(1, 1, 50, 5_000, false)] // few segments in flight: acknowledgments may be delayed, or come with the answer
    public void Handshake_NearerThanTheData_WasAnsweredBySomethingElse(int synAck, int whole, int data, int inFlight, bool isFound)
    {
        Connection connection = Upload(up => up with
        {
            Rtt = new RttSummary(data * Millisecond, (data + 2) * Millisecond, (data + 5) * Millisecond, 500),
            MaxInFlightBytes = inFlight,
        }) with
        {
            HandshakeRtt = whole * Millisecond,
            SynAckDelay = synAck * Millisecond,
        };
        Finding? finding = Judge(connection).SingleOrDefault(found => found.Id is FindingIds.SplitConnection);
        Assert.Equal(isFound, finding is not null);
        Assert.Equal(isFound ? FindingSeverity.Note : null, finding?.Severity);
    }

    // Requests that the server answers after 50 ms, each acknowledged by its answer: one segment in flight at a time.
    [Fact]
    public void Requests_OfASlowServer_AreNoSplit()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(1460).WindowScale(7))
            .Packet(1_000, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(1460).WindowScale(7))
            .Packet(1_010, FromClient(1, 1));
        for (uint i = 0; i < 40; i++)
        {
            long time = 10_000 + (i * 60_000);
            trace.Packet(time, FromClient(1 + (i * 300), 1 + (i * 500), 300)).Packet(time + 50_000, FromServer(1 + (i * 500), 301 + (i * 300), 500));
        }

        Assert.DoesNotContain(FindingIds.SplitConnection, Ids(trace));
    }

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
