using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Tests.Replays;
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

    [Fact]
    public void SimulatedSenders_AreToldOrUnknown()
    {
        ulong first = ulong.Parse(Environment.GetEnvironmentVariable("TCPDIAG_SCORE_SEED") ?? "1", CultureInfo.InvariantCulture);
        List<(string Truth, string Verdict, bool IsExercised)> runs = [];
        foreach (string[] path in Paths)
        {
            foreach ((string sender, string truth) in Senders)
            {
                string[] verdicts = [.. Enumerable.Range(0, 3).Select(i =>
                {
                    Scorecard card = SimulatedTrace.CardOf(SimulatedTrace.Flow(sender, 10_000_000), first + (ulong)i, path);
                    bool reorders = path.Any(option => option.StartsWith("reorder", StringComparison.Ordinal));
                    runs.Add((truth, card.Fingerprint!.Verdict, reorders && truth is not Fingerprint.NoSack));
                    return card.Fingerprint.Verdict;
                })];
                output.WriteLine($"{string.Join(", ", path)} | {sender} | {string.Join(' ', verdicts)}");
            }
        }

        // A path that reorders is no chance yet: until reordering is seen, every RACK repairs on the third SACK (RFC 8985 §6.2 step 4).
        int told = runs.Count(run => run.IsExercised && run.Verdict is not Fingerprint.Unknown);
        int right = runs.Count(run => run.IsExercised && run.Verdict.Equals(run.Truth, StringComparison.Ordinal));
        int exercised = runs.Count(run => run.IsExercised);
        int wrong = runs.Count(run => run.Verdict is not Fingerprint.Unknown && !run.Verdict.Equals(run.Truth, StringComparison.Ordinal));
        output.WriteLine($"exercised {exercised}, told {told}, right {right}; all {runs.Count}, wrong {wrong}");
        Assert.True(told >= 0.3 * exercised, $"coverage {told} of {exercised}");
        Assert.True(right >= 0.95 * told, $"right {right} of {told}");
        Assert.True(wrong <= 0.01 * runs.Count, $"wrong {wrong} of {runs.Count}");
    }
}
