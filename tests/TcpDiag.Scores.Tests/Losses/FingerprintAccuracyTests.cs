using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Tests.Replays;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Senders;
using Xunit;
using Xunit.Abstractions;

namespace TcpDiag.Scores.Tests.Losses;

/// <summary>
/// The fingerprint of simulated senders on paths that reorder. The rules were made on seeds 1 to 3; what docs/verification/scores.md publishes was measured
/// once, on seeds drawn afterwards.
/// </summary>
[Trait("Needs", "time")]
public sealed class FingerprintAccuracyTests(ITestOutputHelper output)
{
    static readonly (string Sender, string Truth)[] Senders =
    [
        ("rfc", Fingerprint.RackAdaptive), ("adaptive", Fingerprint.RackAdaptive), ("windows-22621", Fingerprint.RackAdaptive),
        ("fixed", Fingerprint.RackFixed), ("windows-22000", Fingerprint.RackFixed), ("windows-19041", Fingerprint.RackFixed),
        ("windows-18362", Fingerprint.RackFixed), ("windows-10586", Fingerprint.DuplicateAcks), ("no-sack", Fingerprint.NoSack),
    ];

    static readonly string[][] Paths =
    [
        ["rate 50mbit", "rtt 25ms", "reorder out:1pct:add:8ms"],
        ["rate 50mbit", "rtt 50ms", "reorder out:1pct:add:30ms"],
        ["rate 50mbit", "rtt 100ms", "reorder out:2pct:add:40ms", "loss out:0.2pct"],
        ["rate 20mbit", "rtt 40ms", "reorder out:3pct:add:20ms"],
        ["rate 50mbit", "rtt 50ms", "reorder out:1pct:replace:5ms"],
        ["rate 50mbit", "rtt 50ms", "loss out:0.5pct"],
    ];

    static readonly ulong First = ulong.Parse(Environment.GetEnvironmentVariable("TCPDIAG_SCORE_SEED") ?? "1", CultureInfo.InvariantCulture);

    [Fact]
    public void SimulatedSenders_AreToldOrUnknown()
    {
        List<Judged> runs = [];
        foreach (string[] path in Paths)
        {
            foreach ((string sender, string truth) in Senders)
            {
                Judged[] judged = [.. Enumerable.Range(0, 3).Select(i => Judge(sender, truth, path, First + (ulong)i))];
                runs.AddRange(judged);
                output.WriteLine($"{string.Join(", ", path)} | {sender} | {string.Join(' ', judged.Select(run => run.Verdict))}");
            }
        }

        // Which of detection by time and by count: wherever something was overtaken. A path with losses alone has lost retransmissions at most.
        Judged[] reordered = [.. runs.Where(run => run.IsReordered)];
        int told = reordered.Count(run => run.Verdict is not Fingerprint.Unknown);

        // Whether a window grows: where the sender itself had seen reordering and DSACKs came back, so that its window was another than a fixed one.
        Judged[] grown = [.. reordered.Where(run => run.IsWindowExercised)];
        int grownTold = grown.Count(run => run.Verdict is Fingerprint.RackFixed or Fingerprint.RackAdaptive);
        int wrong = runs.Count(run => !run.IsRight && run.Verdict is not Fingerprint.Unknown);
        output.WriteLine($"detection: {told} of {reordered.Length} told; window: {grownTold} of {grown.Length}; wrong {wrong} of {runs.Count}");
        Assert.True(told >= 0.8 * reordered.Length, $"coverage {told} of {reordered.Length}");
        Assert.True(grownTold >= 0.8 * grown.Length, $"coverage of windows {grownTold} of {grown.Length}");
        Assert.True(wrong <= 0.01 * runs.Count, $"wrong {wrong} of {runs.Count}");
    }

    [Theory]
    [InlineData(22_000, Fingerprint.RackNoDsack)]
    [InlineData(22_621, Fingerprint.RackAdaptive)]
    public void EventsOfWindows_TellBuilds(int build, string truth)
    {
        int told = 0;
        foreach (string[] path in Paths[..5])
        {
            TraceScores scores = SimulatedTrace.ScoreEtl(build, SimulatedTrace.Flow($"windows-{build}", 3_000_000), First, path);
            Fingerprint fingerprint = scores.Cards[0].Fingerprint!;
            output.WriteLine($"{string.Join(", ", path)} | {build} | {fingerprint.Verdict} | {scores.Cards[0].Facts!.Dsacks} DSACKs");
            told += fingerprint.Verdict.Equals(truth, StringComparison.Ordinal) && fingerprint.IsFromEvents ? 1 : 0;
        }

        Assert.Equal(5, told);
    }

    static Judged Judge(string sender, string truth, string[] path, ulong seed)
    {
        (TraceScores scores, Sender end, SimulationResult result) = SimulatedTrace.Run(SimulatedTrace.Flow(sender, 10_000_000), seed, path);
        string verdict = scores.Cards[0].Fingerprint!.Verdict;
        bool isByTime = truth is Fingerprint.RackFixed or Fingerprint.RackAdaptive;
        bool reorders = path.Any(option => option.StartsWith("reorder", StringComparison.Ordinal)) && truth is not Fingerprint.NoSack;
        bool isRight = verdict.Equals(truth, StringComparison.Ordinal) || (isByTime && verdict is Fingerprint.Rack);
        return new Judged(verdict, isRight, reorders, isByTime && end.ReorderingSeen && result.Counts.Dsacks >= 2);
    }

    readonly record struct Judged(string Verdict, bool IsRight, bool IsReordered, bool IsWindowExercised);
}
