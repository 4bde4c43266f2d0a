using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using static TcpDiag.Truth.Causes.Draws;

namespace TcpDiag.Truth.Causes;

/// <summary>Traffic in which nothing is wrong: full links of 1 Mbit/s to 10 Gbit/s, and programs that send as it suits them.</summary>
static class HealthyScenarios
{
    public static IEnumerable<Scenario> All => [.. Bulk(), .. Receivers(), .. Paths(), .. Programs()];

    static IEnumerable<Scenario> Bulk()
    {
        yield return new("bulk", [], Links, random => Any(random) with { Bytes = Amount(random, 4, 12) });
        yield return new("bulk-download", [], Links, random => Any(random) with { Bytes = Amount(random, 4, 12), IsDownload = true });
        yield return new("bulk-reno", [], Links[1..4], random => Any(random) with { Bytes = Amount(random, 4, 8), Sender = Reno });
        yield return new("bulk-windows", [], Links[1..4], random => Any(random) with { Bytes = Amount(random, 4, 8), Sender = Windows });
        yield return new("bulk-ipv6", [], Links[2..4], random => Any(random) with { Bytes = Amount(random, 4, 8), IsIpv6 = true });
        yield return new("lan-10gbit", [], ["rate=10gbit rtt=200us buffer=4bdp"], random => Any(random) with { Bytes = Amount(random, 10, 20) });
        yield return new("loopback", [], ["rtt=40us", "rtt=100us"], random => Any(random) with { Bytes = Amount(random, 10, 20) });
        yield return new("short", [], Open, random => Any(random) with { Bytes = random.Next(3_000, 400_000) });
        yield return new("small-mtu", [], Links, random => Any(random) with { Bytes = Amount(random, 2, 5), Mtu = random.Next(576, 1400) });
        yield return new("shallow-queue", [], ["rate=20mbit rtt=20ms buffer=0.5bdp", "rate=50mbit rtt=20ms buffer=0.5bdp"],
            random => Any(random) with { Bytes = Amount(random, 8, 16) });
    }

    static IEnumerable<Scenario> Receivers()
    {
        yield return new("stretch-acks", [], Links[2..], random => Any(random) with
        {
            Bytes = Amount(random, 3, 8),
            Receiver = new() { SegmentsPerAck = random.Next(4, 9), AckDelayNanos = 20_000_000 },
        });
        yield return new("large-window", [], Links, random => Any(random) with
        {
            Bytes = Amount(random, 4, 12),
            Receiver = new() { BufferBytes = 64 * 1024, MaxBufferBytes = 32 * 1024 * 1024 },
        });
    }

    static IEnumerable<Scenario> Paths()
    {
        yield return new("jitter", [], ["rate=20mbit rtt=30ms jitter=3ms buffer=1bdp", "rate=50mbit rtt=50ms jitter=8ms buffer=1bdp"],
            random => Any(random) with { Bytes = Amount(random, 5, 15) })
        {
            // Where HyStart takes jitter for a queue the transfer takes twice as long.
            Beside = [FindingIds.SlowStartLeftEarly, FindingIds.CwndLimited],
            CuredPath = path => string.Join(' ', path.Split(' ').Where(option => !option.StartsWith("jitter=", StringComparison.Ordinal))),
        };
        yield return new("wifi", [], ["rate=30mbit rtt=12ms jitter=3ms:pareto buffer=4bdp", "rate=60mbit rtt=8ms jitter=2ms:pareto buffer=4bdp"],
            random => Any(random) with { Bytes = Amount(random, 5, 12) });
        yield return new("late-acks", [],
            ["rate=out:20mbit rtt=30ms buffer=1bdp reorder=in:5pct:add:4ms", "rate=out:50mbit rtt=60ms buffer=1bdp reorder=in:10pct:add:10ms"],
            random => Any(random) with { Bytes = Amount(random, 8, 20) });
        yield return new("lossy-acks", [], ["rate=out:20mbit rtt=30ms buffer=1bdp loss=in:5pct", "rate=out:50mbit rtt=40ms buffer=1bdp loss=in:2pct"],
            random => Any(random) with { Bytes = Amount(random, 6, 12) })
        { Beside = [FindingIds.SynRetransmitted] }; // one SYN-ACK of twenty, which costs a second
    }

    static IEnumerable<Scenario> Programs()
    {
        yield return new("video", [], ["rate=20mbit rtt=40ms", "rate=100mbit rtt=25ms"], random => Any(random) with
        {
            Bytes = Amount(random, 4, 8),
            BurstBytes = random.Next(300_000, 900_000),
            BurstNanos = 2_000_000_000,
            IsDownload = true,
        });
        yield return new("live-video", [], Open[..2], random => Any(random) with
        {
            Bytes = Amount(random, 2, 4),
            BurstBytes = random.Next(8_000, 40_000),
            BurstNanos = 33_000_000, // 30 pictures a second
        });
        yield return new("chat", [], Open, random =>
            Any(random) with { Bytes = 5_000, BurstBytes = random.Next(50, 400), BurstNanos = random.Next(200, 900) * 1_000_000L });
        yield return new("long-idle", [], Open[..2], random => Any(random) with
        {
            Bytes = 4_000,
            BurstBytes = random.Next(400, 1_400),
            BurstNanos = random.Next(15, 40) * 1_000_000_000L,
            LimitNanos = 400_000_000_000,
        });
        yield return new("reports", [], Open, random =>
            Any(random) with { Bytes = 800_000, BurstBytes = random.Next(10_000, 40_000), BurstNanos = random.Next(100, 400) * 1_000_000L });
        yield return new("steady-writer", [], Open, random => Any(random) with
        {
            Bytes = 400_000,
            BurstBytes = random.Next(300, 3_000),
            BurstNanos = random.NextInt64(5_000_000, 40_000_000),
        });
        yield return new("beat-of-rtt", [], ["rtt=39900us jitter=300us", "rate=100mbit rtt=39800us jitter=1ms"], random => Any(random) with
        {
            Bytes = 300_000,
            BurstBytes = random.Next(1_000, 8_000),
            BurstNanos = (40_000_000 / random.Next(1, 4)) + random.Next(0, 150_000),
        });
        yield return new("paced", [], Open, random => Any(random) with { Bytes = Amount(random, 1, 4), PacingBitsPerSecond = random.Next(3, 15) * 1_000_000L });
    }
}
