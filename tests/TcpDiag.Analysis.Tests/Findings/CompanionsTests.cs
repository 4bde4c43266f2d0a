using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What connections between the same hosts at the same time do to each other: uploads of 10 s and 10 MB, 8 Mbit/s each.</summary>
public sealed class CompanionsTests
{
    // 16 Mbit/s together are nine tenths of 17.77: of a path that gives 18, something was left.
    [Theory]
    [InlineData(17.7e6, true)]
    [InlineData(18e6, false)]
    public void Loss_OfTwoThatFillThePathTogether_IsANote(double burst, bool isNote)
    {
        Finding[] losses = Losses(Lossy(0, burst), Lossy(1, burst));
        Assert.Equal(2, losses.Length);
        Assert.All(losses, loss => Assert.Equal(isNote, loss.Severity is FindingSeverity.Note));
        Assert.All(losses, loss => Assert.Equal(isNote, loss.Evidence.Any(known => string.Equals(known.Value, "16.0 Mbit/s of 2", StringComparison.Ordinal))));
    }

    // Another host, another direction, another time: nothing that is on the path with it.
    [Theory]
    [InlineData("host")]
    [InlineData("direction")]
    [InlineData("time")]
    public void Loss_BesideWhatIsNotOnThePath_StaysAWarning(string difference)
    {
        Connection other = Lossy(1, 17e6);
        other = difference switch
        {
            "host" => other with { Server = new Endpoint(IpAddress.FromIpv4(0x0A00_0003), 443) },
            "direction" => other with { Client = other.Server, Server = other.Client },
            _ => other with { FromClient = other.FromClient with { FirstData = new TraceTime(20 * Second) } },
        };
        Assert.NotEqual(FindingSeverity.Note, Losses(Lossy(0, 17e6), other).Single(loss => loss.Connection!.Index == 0).Severity);
    }

    // The other one ended after 5 s: the path was not full any more, but it was when all of this one's losses happened.
    [Fact]
    public void Loss_WhileThePathWasFull_IsANoteThoughItWasNotLater()
    {
        Connection brief = Lossy(1, 23e6);
        brief = brief with { FromClient = brief.FromClient with { ActiveTime = 5 * Second, Limits = Spent((LimitState.CongestionWindow, 5 * Second)) } };
        Assert.Equal(FindingSeverity.Note, Losses(Lossy(0, 23e6), brief).Single(loss => loss.Connection!.Index == 0).Severity);
    }

    // One that fills the path alone is judged alone.
    [Fact]
    public void SharedRate_OfOneThatGetsNearlyAll_IsNotFullTogether()
    {
        Connection small = Lossy(1, 8.5e6);
        small = small with { FromClient = small.FromClient with { UniqueBytes = 100_000 } };
        SharedRate? shared = new DirectionSubject(Lossy(0, 8.5e6), true) { Companions = new Companions([Lossy(0, 8.5e6), small]) }.Shared;
        Assert.Equal(new SharedRate(8e6, 8.08e6, 8.5e6, 1), shared);
        Assert.False(shared!.Value.IsFull);
    }

    // 20 answers over 10 s, beside an upload whose queue adds 200 ms to each round trip in the first 5 s: 10 of them waited 2 s in it.
    [Theory]
    [InlineData(2, null)]
    [InlineData(3, null)]
    [InlineData(5, 3.0)]
    public void SlowAnswers_BesideAQueue_AreWhatIsLeftWithoutIt(int seconds, double? left)
    {
        Finding? slow = FindingRules.Judge([Chat(seconds), Queue()], default)
            .SingleOrDefault(finding => string.Equals(finding.Id, FindingIds.SlowAnswers, StringComparison.Ordinal));
        Assert.Equal(left, slow?.SecondsLost);
    }

    // What fills no queue, as its round trips do not follow what is in flight, explains nothing: a slow server answers all its connections late.
    [Fact]
    public void SlowAnswers_BesideRoundTripsThatDoNotFollowTheFlight_AreTheServers()
    {
        Connection other = Queue();
        other = other with { FromClient = other.FromClient with { RttLoad = 0 } };
        Finding slow = FindingRules.Judge([Chat(3), other], default)
            .Single(finding => string.Equals(finding.Id, FindingIds.SlowAnswers, StringComparison.Ordinal));
        Assert.Equal(3, slow.SecondsLost);
    }

    // The path was full, which costs the upload nothing.
    [Fact]
    public void Bufferbloat_BesideAConversation_CostsWhatThatWaited()
    {
        IReadOnlyList<Finding> findings = FindingRules.Judge([Chat(3), Queue()], default);
        Assert.Equal((FindingIds.Bufferbloat, 2.0, FindingSeverity.Warning), (findings[0].Id, findings[0].SecondsLost, findings[0].Severity));
        Assert.Equal(FindingSeverity.Note, FindingRules.Judge([Queue()], default)
            .Single(finding => string.Equals(finding.Id, FindingIds.Bufferbloat, StringComparison.Ordinal)).Severity);
    }

    // Of one program's connections, which have the same buffers, another one had twice as much in flight.
    [Theory]
    [InlineData(16_000, 1e6, true)]
    [InlineData(15_999, 1e6, false)]
    [InlineData(0, 3.2e6, true)] // 16 kB in 40 ms: at the receiver nothing is in flight
    [InlineData(0, 3.1e6, false)]
    public void SendBuffer_BesideALargerOneOfTheService_IsInDoubt(int inFlight, double best, bool isDoubtful)
    {
        Connection held = Of(
            up => up with
            {
                FirstData = new TraceTime(0),
                MaxInFlightBytes = 8000,
                Delivery = new DeliverySummary { BurstBitsPerSecond = 100e6 },
                Limits = Spent((LimitState.SendBuffer, 8 * Second), (LimitState.Application, 2 * Second)),
            },
            down => down);
        Connection other = Lossy(1, 0);
        other = other with { FromClient = other.FromClient with { MaxInFlightBytes = inFlight, Delivery = new DeliverySummary { BestBitsPerSecond = best } } };
        Finding buffer = FindingRules.Judge([held, other], default)
            .Single(finding => string.Equals(finding.Id, FindingIds.SendBufferLimited, StringComparison.Ordinal));
        Assert.Equal(isDoubtful ? 0.45 : 0.9, buffer.Confidence);
    }

    // 8 Mbit/s the other way, while a queue stood at 11: more than seven tenths of it. Acknowledgments waited in that queue, and came in bunches as fast as 1
    // Gbit/s; but two round trips held 16 Mbit/s, which is what the path gives.
    [Theory]
    [InlineData(11e6, true)]
    [InlineData(12e6, false)]
    public void Cwnd_BesideDataTheOtherWayThatFillsThePath_IsANote(double queue, bool isNote)
    {
        Connection held = Upload(up => up with
        {
            FirstData = new TraceTime(0),
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            Delivery = new DeliverySummary { BestBitsPerSecond = 16e6, BurstBitsPerSecond = 1e9 },
        });
        Finding cwnd = FindingRules.Judge([held, OtherWay(queue)], default)
            .Single(finding => string.Equals(finding.Id, FindingIds.CwndLimited, StringComparison.Ordinal));
        Assert.Equal(isNote, cwnd.Severity is FindingSeverity.Note);
        Assert.Equal(isNote, cwnd.SecondsLost < 5.1);
        Assert.Equal(isNote, cwnd.Evidence.Any(known => string.Equals(known.Value, "8.00 Mbit/s", StringComparison.Ordinal)));
    }

    // Two queues may add 100 ms each.
    [Theory]
    [InlineData(239, false)]
    [InlineData(240, true)]
    public void Bufferbloat_BesideAQueueTheOtherWay_IsWhatThatDoesNotExplain(int median, bool isFound)
    {
        Connection queue = Queue();
        queue = queue with { FromClient = queue.FromClient with { Rtt = new(40 * Millisecond, median * Millisecond, 300 * Millisecond, 1000) } };
        IReadOnlyList<Finding> findings = FindingRules.Judge([queue, OtherWay(11e6)], default);
        Assert.Equal(isFound, findings.Any(finding => string.Equals(finding.Id, FindingIds.Bufferbloat, StringComparison.Ordinal)));
    }

    // Of hundreds the largest are looked at, in whichever order they come.
    [Fact]
    public void SharedRate_OfHundreds_IsThatOfTheLargest()
    {
        Connection[] many = [.. Enumerable.Range(0, 300).Select(index => Lossy(index, 1e9) is var one
            ? one with { FromClient = one.FromClient with { UniqueBytes = 1250 * (index + 1) } }
            : one)];
        var ordered = new Companions(many);
        var added = new Companions([]);
        foreach (Connection one in many.Reverse())
        {
            added.Add(one);
        }

        var subject = new DirectionSubject(many[^1], true);
        SharedRate? shared = ordered.SharedRate(subject, new TraceTime(0), new TraceTime(Second));
        Assert.Equal(shared, added.SharedRate(subject, new TraceTime(0), new TraceTime(Second)));
        Assert.Equal(255, shared!.Value.Others);
        Assert.Equal(1000.0 * Enumerable.Range(45, 256).Sum(), shared.Value.All, 3);
    }

    static Finding[] Losses(params Connection[] connections) =>
        [.. FindingRules.Judge(connections, default).Where(finding => string.Equals(finding.Id, FindingIds.PathLoss, StringComparison.Ordinal))];

    // It lost 1 % of its packets in its first two seconds, and its window was the limit from then on.
    static Connection Lossy(int index, double burst) => Upload(up => up with
    {
        FirstData = new TraceTime(0),
        Retransmissions = 70,
        Repairs = RetransmissionCounts.Of(new(70, 0, 0, 0, 0), new(70, 0, 0, 0)),
        Delivery = new DeliverySummary { BestBitsPerSecond = 8e6, BurstBitsPerSecond = burst > 0 ? burst : null },
        Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Recovery, Second)),
        Patterns = new DirectionPatterns { Retransmission = new(7, new TraceTime(Second)), LastRetransmission = new(900, new TraceTime(2 * Second)) },
    }) with
    {
        Index = index,
    };

    // 10 MB in 10 s from the server, a second of them with a queue.
    static Connection OtherWay(double queue) => Upload(up => up with
    {
        FirstData = new TraceTime(0),
        Delivery = new DeliverySummary { BestBitsPerSecond = queue, PathFullTime = Second, PathFullBytes = (long)(queue / 8) },
    }) is var upload ? upload with { Index = 2, Client = upload.Server, Server = upload.Client } : upload;

    static Connection Chat(int seconds) => Of(
        up => up with { FirstData = new TraceTime(0), UniqueBytes = 1000, Limits = Spent((LimitState.Application, 10 * Second)) },
        down => down with { Answers = new(seconds * Second, seconds * Second, 20, new(LimitState.Application, new(0), new(Second), 5)) });

    static Connection Queue() => Upload(up => up with
    {
        FirstData = new TraceTime(0),
        ActiveTime = 5 * Second,
        Rtt = new RttSummary(40 * Millisecond, 240 * Millisecond, 300 * Millisecond, 1000),
        RttLoad = 0.9,
        Delivery = new DeliverySummary { BestBitsPerSecond = 16e6, BurstBitsPerSecond = 16e6, PathFullTime = 5 * Second, PathFullBytes = 10_000_000 },
        Limits = Spent((LimitState.CongestionWindow, 5 * Second)),
    }) with
    {
        Index = 1,
    };
}
