using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// What is found in small hand-made captures, and what is not. Instants in microseconds; the handshake of <see cref="Segments.Opened"/> is seen at the
/// server, 20 ms from the client.
/// </summary>
public sealed class FindingsOfPacketsTests
{
    const byte Syn = FrameBuilder.Syn;
    const byte SynAck = FrameBuilder.Syn | FrameBuilder.Ack;
    const byte Rst = FrameBuilder.Rst | FrameBuilder.Ack;

    // A reset answers each SYN, and the client tries again half a second later: nothing was lost on the way.
    [Fact]
    public void Syn_EachAnsweredByAReset_WasRefusedAndNotLost()
    {
        MemoryTrace trace = new();
        for (int i = 0; i < 3; i++)
        {
            trace.Packet(i * 500_000, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460)).Packet((i * 500_000) + 40_000, FromServer(0, 1, flags: Rst));
        }

        Assert.Equal([FindingIds.ResetByPeer], Ids(trace));
    }

    [Fact]
    public void Syn_SecondUnanswered_WasSentAgain() => Assert.Contains(FindingIds.SynRetransmitted, Ids(new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460))
        .Packet(40_000, FromServer(0, 1, flags: Rst))
        .Packet(500_000, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460))
        .Packet(1_500_000, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460))));

    // Instants in ms: SYN-ACK, the client's ACK, then the acknowledgment of 100 bytes sent right behind that ACK.
    [Theory]
    [InlineData(440, 440, 480, 0.4)] // at the client, 40 ms away
    [InlineData(400, 440, 440, 0.4)] // at the server
    [InlineData(420, 440, 460, 0.4)] // half way
    [InlineData(600, 600, 1200, null)] // a satellite
    [InlineData(40, 440, 480, null)] // the client answers late, not the server
    public void SynAck_IsLate_AgainstTheSameWay(int synAck, int ack, int dataAck, double? seconds)
    {
        Finding? late = Handshake(synAck, ack).Packet(Milliseconds(ack) + 10, FromClient(1, 1, 100)).Packet(Milliseconds(dataAck) + 20, FromServer(1, 101))
            .Analyze().Findings.SingleOrDefault(found => found.Id is FindingIds.LateSynAck);
        Assert.Equal(seconds, late?.SecondsLost is { } lost ? System.Math.Round(lost, 4) : null);
        Assert.Equal(seconds is null ? null : 1, late?.Evidence[0].FirstPacket);
    }

    // The recording clock goes forward by 400 ms between SYN and SYN-ACK; the client's timestamps, 1 ms each, do not. Else they go on with it.
    [Theory]
    [InlineData(40, false)]
    [InlineData(440, true)]
    public void SynAck_AcrossAClockThatWasSet_IsNotLate(uint ticks, bool isFound) => Assert.Equal(isFound, Ids(new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).Timestamps(1000, 0))
        .Packet(440_000, FromServer(0, 1, flags: SynAck).Mss(1460).Timestamps(9, 1000))
        .Packet(440_010, FromClient(1, 1).Timestamps(1000 + ticks, 9))
        .Packet(450_000, FromClient(1, 1, 100).Timestamps(1010 + ticks, 9))
        .Packet(490_000, FromServer(1, 101).Timestamps(59, 1010 + ticks))
        .Packet(500_000, FromClient(101, 1, 100).Timestamps(1060 + ticks, 59))
        .Packet(540_000, FromServer(1, 201).Timestamps(109, 1060 + ticks))).Contains(FindingIds.LateSynAck));

    // A clock of 100 ms a tick does not go on in a handshake of 5 ms; that is no sign of anything.
    [Fact]
    public void Handshake_ShorterThanATick_IsMeasured()
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).Timestamps(1000, 0))
            .Packet(5_000, FromServer(0, 1, flags: SynAck).Mss(1460).Timestamps(9, 1000))
            .Packet(5_010, FromClient(1, 1).Timestamps(1000, 9));
        for (uint i = 0; i < 20; i++)
        {
            trace.Packet(100_000 + (i * 100_000), FromClient(1 + (i * 100), 1, 100).Timestamps(1001 + i, 9));
        }

        Assert.Equal(5_010_000, trace.Analyze().Connections.Single().HandshakeRtt);
    }

    // The server answers the SYN after 440 ms, data after 40 ms: that is the path, whatever is judged by it.
    [Fact]
    public void SynAck_ThatIsLate_IsNotThePathsRoundTrip()
    {
        TraceAnalysis analysis = Handshake(440, 440).Packet(450_000, FromClient(1, 1, 100)).Packet(490_000, FromServer(1, 101)).Analyze();
        Connection connection = analysis.Connections.Single();
        Assert.Equal(40_000_000, new DirectionSubject(connection, true).Rtt.Median);
        Assert.Equal(40_000_000, new DirectionSubject(connection, false).Rtt.Median);
        Assert.Equal(40_005_000, RoundTrip.PathOf(connection)); // and 5 µs of the client
        Finding scaling = analysis.Findings.Single(found => found.Id is FindingIds.WindowScalingOff);
        Assert.Equal("40.0 ms", scaling.Evidence[0].Value);
    }

    // Captured at the server, where the client's data is acknowledged at once: the path is what the handshake shows towards the client.
    [Fact]
    public void SynAck_ThatIsLateAtTheServer_IsNotThePathsRoundTrip() => Assert.Equal(
        40_105_000,
        RoundTrip.PathOf(Handshake(400, 440).Packet(450_000, FromClient(1, 1, 100)).Packet(450_100, FromServer(1, 101)).Analyze().Connections.Single()));

    // Round trips of 40 ms and 300 ms: a SYN of 440 ms may have met the same.
    [Fact]
    public void SynAck_OfAPathThatVaries_IsNotLate() => Assert.DoesNotContain(FindingIds.LateSynAck, Ids(Handshake(440, 440)
        .Packet(450_000, FromClient(1, 1, 100))
        .Packet(490_000, FromServer(1, 101))
        .Packet(500_000, FromClient(101, 1, 100))
        .Packet(800_000, FromServer(1, 201))));

    // The client only listens: what it acknowledges within 0.1 ms tells nothing of the way to the server.
    [Fact]
    public void SynAck_BesideDownloadsAtTheClient_IsNotJudged() => Assert.DoesNotContain(FindingIds.LateSynAck, Ids(Handshake(440, 440)
        .Packet(500_000, FromServer(1, 1, 100))
        .Packet(500_100, FromClient(1, 101))));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void SynAck_BehindASynOrSynAckSentAgain_WasLost(bool isSynResent)
    {
        MemoryTrace trace = new MemoryTrace().Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460));
        if (isSynResent)
        {
            trace.Packet(400_000, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460)).Packet(800_000, FromServer(0, 1, flags: SynAck).Mss(1460));
        }
        else
        {
            trace.Packet(400_000, FromServer(0, 1, flags: SynAck).Mss(1460)).Packet(800_000, FromServer(0, 1, flags: SynAck).Mss(1460));
        }

        string[] ids = Ids(trace.Packet(800_100, FromClient(1, 1)).Packet(810_000, FromClient(1, 1, 100)).Packet(850_000, FromServer(1, 101)));
        Assert.Contains(FindingIds.SynRetransmitted, ids);
        Assert.DoesNotContain(FindingIds.LateSynAck, ids);
    }

    // The capture begins behind the SYN.
    [Fact]
    public void SynAck_WithoutItsSyn_IsNotJudged() => Assert.Null(new MemoryTrace()
        .Packet(440_000, FromServer(0, 1, flags: SynAck).Mss(1460))
        .Packet(440_100, FromClient(1, 1))
        .Analyze().Connections.Single().SynAckDelay);

    // RFC 9293 §3.5, figure 7: both SYNs cross, and each end answers the other's.
    [Fact]
    public void Open_AtBothEndsAtOnce_RepeatsNoSyn() => Assert.Equal(0, new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460))
        .Packet(20_000, FromServer(0, 0, flags: Syn).AckNumber(0).Mss(1460))
        .Packet(20_100, FromClient(0, 1, flags: SynAck).Mss(1460))
        .Packet(40_100, FromServer(0, 1, flags: SynAck).Mss(1460))
        .Packet(40_200, FromClient(1, 1, 100))
        .Analyze().Connections.Single().SynRetransmissions);

    // RFC 7413 §4.2: the server takes the SYN without its 400 bytes, and the client sends them again.
    [Fact]
    public void DataOfASyn_Refused_IsNotLost()
    {
        TraceAnalysis analysis = new MemoryTrace()
            .Packet(0, FromClient(0, 0, 400, Syn).AckNumber(0).Mss(1460))
            .Packet(40_000, FromServer(0, 1, flags: SynAck).Mss(1460))
            .Packet(40_100, FromClient(1, 1, 400))
            .Packet(80_100, FromServer(1, 401))
            .Analyze();
        ConnectionDirection sent = analysis.Connections.Single().FromClient;
        Assert.Equal((0, 400), (sent.Retransmissions, sent.UniqueBytes));
        Assert.Empty(analysis.Findings.Select(found => found.Id).Intersect([FindingIds.PathLoss, FindingIds.TailLoss, FindingIds.ReceiveWindowLimited]));
    }

    // The window stays closed for 8 s, and nobody has anything to send.
    [Theory]
    [InlineData(10_000_000, false, 0.0)]
    [InlineData(8_050_000, false, 7.98)] // data came at once as it opened: it had waited
    [InlineData(10_000_000, true, 7.98)] // probed: data waited
    public void ZeroWindow_CostsOnlyWhatWaited(long next, bool isProbed, double seconds)
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 1000)).Packet(50_000, FromServer(1, 1001).Window(0));
        if (isProbed)
        {
            trace.Packet(350_000, FromClient(1001, 1, 1)).Packet(350_100, FromServer(1, 1001).Window(0));
        }

        trace.Packet(8_030_000, FromServer(1, 1001)).Packet(next, FromClient(1001, 1, 500)).Packet(next + 100, FromServer(1, 1501));
        Assert.Equal((long)(seconds * 1e9), trace.Analyze().Connections.Single().FromClient.Patterns!.ZeroWindowWait);
    }

    // All that comes before the answer is one byte, which a closed window refuses: a probe, and not data that was lost.
    [Fact]
    public void ZeroWindow_ThatACaptureBeginsWith_HoldsDataBack()
    {
        MemoryTrace trace = new MemoryTrace().Packet(0, FromClient(1, 1, 1)).Packet(20_000, FromServer(1, 1).Window(0));
        trace.Packet(3_020_000, FromServer(1, 1)).Packet(3_020_100, FromClient(1, 1, 1400)).Packet(3_040_000, FromServer(1, 1401));
        TraceAnalysis analysis = trace.Analyze();
        Connection connection = analysis.Connections.Single();

        Assert.Equal(3_000_000_000, connection.FromClient.Patterns!.ZeroWindowWait);
        Assert.Equal(0, connection.FromClient.Retransmissions);
        Assert.Equal(1, connection.FromClient.ZeroWindowProbes);
        Assert.Equal(1400, connection.FromClient.UniqueBytes);
        Assert.Contains(FindingIds.ZeroWindow, analysis.Findings.Select(found => found.Id));
    }

    // A 30 s limit closes, and what comes for another minute is taken: the client has nothing more to send.
    [Fact]
    public void HalfClose_IsNoTimeLimit()
    {
        MemoryTrace trace = Opened().Packet(30_020_200, FromClient(1, 1, flags: FrameBuilder.Fin | FrameBuilder.Ack));
        for (uint i = 0; i < 60; i++)
        {
            trace.Packet(30_100_000 + (i * 1_000_000), FromServer(1 + (i * 1000), 2, 1000)).Packet(30_120_000 + (i * 1_000_000),
                FromClient(2, 1001 + (i * 1000)));
        }

        Assert.DoesNotContain(FindingIds.ApplicationTimeout, Ids(trace));
    }

    [Fact]
    public void KeepAlives_Unanswered_ExplainTheReset()
    {
        MemoryTrace trace = Opened().Packet(30_000, FromClient(1, 1, 100)).Packet(30_100, FromServer(1, 101));
        for (int i = 1; i <= 9; i++)
        {
            trace.Packet(75_000_000L * i, FromClient(100, 1, 1));
        }

        IReadOnlyList<Finding> findings = trace.Packet(75_000_000L * 10, FromClient(101, 1, flags: Rst)).Analyze().Findings;
        Finding dead = findings.Single(found => found.Id is FindingIds.DeadPeer);
        Assert.Equal("The server fell silent: 9 keep-alives of the client got no answer, and the client reset the connection.", dead.Title);
        Assert.Equal((FindingSeverity.Note, null), (dead.Severity, dead.SecondsLost)); // nobody waited
        Assert.Equal([6L, 15L], dead.Evidence.Select(shown => shown.FirstPacket!.Value));
        Assert.DoesNotContain(FindingIds.ResetByPeer, findings.Select(found => found.Id));
    }

    // Three duplicates without blocks after one with: the path does not remove them.
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Sack_BlocksSeenOnce_AreNotRemoved(bool isSeen, bool isFound)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).SackPermitted())
            .Packet(100, FromServer(0, 1, flags: SynAck).Mss(1460).SackPermitted())
            .Packet(20_100, FromClient(1, 1));
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(30_000 + (i * 10), FromClient(1 + (i * 1000), 1, 1000));
        }

        FrameBuilder first = FromServer(1, 1);
        trace.Packet(30_100, isSeen ? first.Sack(unchecked(ClientIsn + 1001), unchecked(ClientIsn + 2001)) : first);
        for (int i = 1; i < 4; i++)
        {
            trace.Packet(30_100 + i, FromServer(1, 1));
        }

        Assert.Equal(isFound, Ids(trace).Contains(FindingIds.SackOff));
    }

    // No SYNs. The first of six segments is lost; five duplicates and more answer data behind the hole, and none says so. As many as segments sent again may
    // answer these.
    [Theory]
    [InlineData(5, false, true)]
    [InlineData(3, false, false)]
    [InlineData(5, true, false)]
    public void Sack_WithoutSyns_IsOffWhereDuplicatesSayNothing(int duplicates, bool hasBlocks, bool isFound)
    {
        MemoryTrace trace = new MemoryTrace().Packet(0, FromServer(1, 1));
        for (uint i = 0; i < 6; i++)
        {
            trace.Packet(30_000 + (i * 10), FromClient(1 + (i * 1000), 1, 1000));
        }

        for (int i = 0; i < duplicates; i++)
        {
            FrameBuilder duplicate = FromServer(1, 1);
            trace.Packet(50_000 + i, hasBlocks ? duplicate.Sack(unchecked(ClientIsn + 1001), unchecked(ClientIsn + 2001 + (1000 * (uint)i))) : duplicate);
        }

        trace.Packet(51_000, FromClient(1, 1, 1000)).Packet(71_000, FromServer(1, 6001));
        Finding? found = trace.Analyze().Findings.FirstOrDefault(finding => finding is { Id: FindingIds.SackOff });
        Assert.Equal(isFound, found is not null);
        Assert.True(found is null || found.Title.Contains($"{duplicates} duplicate acknowledgments carry no blocks", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(1460, 1460, null)]
    [InlineData(8960, 1460, null)]
    [InlineData(1460, 1452, "The server has room for packets of 1492 bytes only (PPPoE takes 8)")]
    [InlineData(1360, 1460, "The client has room for packets of 1400 bytes only (the usual clamp before IPsec and GRE tunnels)")]
    [InlineData(1380, 1380, "Each end has room for packets of 1420 bytes only (WireGuard's MTU, or the usual clamp of a firewall)")]
    public void Mss_BelowEthernets_IsToldWithItsLikelyCause(ushort asked, ushort answered, string? cause)
    {
        Finding? finding = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(asked).WindowScale(7))
            .Packet(100, FromServer(0, 1, flags: SynAck).Mss(answered).WindowScale(7))
            .Packet(20_100, FromClient(1, 1)).Analyze().Findings.SingleOrDefault(found => found.Id is FindingIds.MssClamped);
        Assert.Equal(cause, finding?.Cause[..cause!.Length]);
        Assert.Equal(cause is null ? null : 1, finding?.Evidence[0].FirstPacket);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Timestamps_GoneBehindTheSyns_AreFound(bool areSent, bool isFound)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).Timestamps(1, 0))
            .Packet(100, FromServer(0, 1, flags: SynAck).Mss(1460).Timestamps(9, 1));
        for (uint i = 0; i < 4; i++)
        {
            FrameBuilder segment = FromClient(1 + (i * 100), 1, 100);
            trace.Packet(20_100 + i, areSent ? segment.Timestamps(2, 9) : segment);
        }

        Assert.Equal(isFound, Ids(trace).Contains(FindingIds.TimestampsStripped));
    }

    // Three requests arrive whole; each answer begins a second later. Between them the client waits for it.
    [Fact]
    public void Answers_ThatBeginLate_AreTheServers()
    {
        MemoryTrace trace = Opened();
        for (uint i = 0; i < 3; i++)
        {
            long time = 100_000 + (i * 1_020_000);
            trace.Packet(time, FromClient(1 + (i * 100), 1 + (i * 1000), 100))
                .Packet(time + 100, FromServer(1 + (i * 1000), 101 + (i * 100)))
                .Packet(time + 1_000_000, FromServer(1 + (i * 1000), 101 + (i * 100), 1000));
        }

        Finding first = trace.Packet(3_200_000, FromClient(301, 3001)).Analyze().Findings[0];
        Assert.Equal((FindingIds.SlowAnswers, 3.0, false), (first.Id, first.SecondsLost, first.IsFromClient));
        Assert.Equal("The server took 3.00 s to begin its 3 answers: its program is what the client waits for.", first.Title);
    }

    // Every round trip lasts as long as what is in flight takes on the slow link: 10 kB more make 120 ms at 0.7 Mbit/s.
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public void Bufferbloat_GrowsWithWhatIsInFlight(bool isQueue, bool isFound)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).WindowScale(7))
            .Packet(20_000, FromServer(0, 1, flags: SynAck).Mss(1460).WindowScale(7))
            .Packet(20_010, FromClient(1, 1));
        long time = 30_000;
        uint seq = 1;
        for (int round = 0; round < 40; round++)
        {
            int segments = 1 + (round / 2);
            for (int i = 0; i < segments; i++)
            {
                trace.Packet(time + i, FromClient(seq + (uint)(i * 1460), 1, 1460));
            }

            seq += (uint)(segments * 1460);
            time += isQueue ? 20_000 + (segments * 17_000) : round % 5 == 0 ? 20_000 : 220_000;
            trace.Packet(time, FromServer(1, seq));
            time += 1000;
        }

        Assert.Equal(isFound, Ids(trace).Contains(FindingIds.Bufferbloat));
    }

    // Captured at the server: of ten segments each round trip the third passed, what follows it is SACKed, and a round trip later it comes once more.
    // Where the capture has cut the blocks off, three acknowledgments that ask for it show the same.
    [Theory]
    [InlineData(1514)]
    [InlineData(60)]
    public void DamagedPackets_AtTheReceiver_AreLostInItsMachine(int cutTo)
    {
        MemoryTrace trace = new MemoryTrace()
            .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460).SackPermitted().WindowScale(7), cutTo: cutTo)
            .Packet(20, FromServer(0, 1, flags: SynAck).Mss(1460).SackPermitted().WindowScale(7), cutTo: cutTo)
            .Packet(40_000, FromClient(1, 1), cutTo: cutTo);
        long time = 50_000;
        for (uint seq = 1; seq < 100 * 1460; seq += 10 * 1460)
        {
            uint hole = seq + (2 * 1460);
            for (uint i = 0; i < 10; i++)
            {
                trace.Packet(time + (i * 200), FromClient(seq + (i * 1460), 1, 1460), cutTo: cutTo);
                FrameBuilder ack = FromServer(1, i < 2 ? seq + ((i + 1) * 1460) : hole);
                if (i != 2)
                {
                    trace.Packet(time + (i * 200) + 20, i < 2 ? ack
                        : ack.Sack(unchecked(ClientIsn + hole + 1460), unchecked(ClientIsn + seq + ((i + 1) * 1460))), cutTo: cutTo);
                }
            }

            trace.Packet(time + 41_000, FromClient(hole, 1, 1460), cutTo: cutTo);
            trace.Packet(time + 41_020, FromServer(1, seq + (10 * 1460)), cutTo: cutTo);
            time += 82_000;
        }

        TraceAnalysis analysis = trace.Analyze();
        Finding loss = analysis.Findings.Single(found => found.Id is FindingIds.PathLoss);
        Assert.StartsWith("The server itself lost 10 packets of the upload", loss.Title, StringComparison.Ordinal);
        Assert.DoesNotContain(FindingIds.SpuriousRetransmissions, analysis.Findings.Select(found => found.Id));
    }

    // So that a report can link each to its place.
    [Fact]
    public void Findings_OfAllKeptCaptures_TellWhereTheyShow()
    {
        List<string> without = [];
        foreach (string path in System.IO.Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng", System.IO.SearchOption.AllDirectories))
        {
            using TraceReader reader = TraceFile.Open(path);
            without.AddRange(TraceAnalyzer.Analyze(reader).Findings
                .Where(found => found.Connection is not null && found.Id is not FindingIds.EvidenceDisagrees)
                .Where(found => !found.Evidence.Any(evidence => evidence is { FirstPacket: > 0, From: not null, To: not null }))
                .Select(found => $"{System.IO.Path.GetFileName(path)}: {found.Id}"));
        }

        Assert.Empty(without);
    }

    static MemoryTrace Handshake(int synAck, int ack) => new MemoryTrace()
        .Packet(0, FromClient(0, 0, flags: Syn).AckNumber(0).Mss(1460))
        .Packet(Milliseconds(synAck), FromServer(0, 1, flags: SynAck).Mss(1460))
        .Packet(Milliseconds(ack) + 5, FromClient(1, 1));

    static long Milliseconds(int milliseconds) => milliseconds * 1000L; // in microseconds

    static string[] Ids(MemoryTrace trace) => [.. trace.Analyze().Findings.Select(found => found.Id)];
}
