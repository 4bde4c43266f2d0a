using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// The matrix that the Windows TCP team published in 2021 (100 Mbit/s, 25 to 200 ms, 32 and 128 MB, one BDP of buffer), simulated with every variant of a
/// sender, as it is and with slow start that only a loss ends: what is left of the difference then is not the exit from slow start.
/// </summary>
public static class PublishedMatrix
{
    const int Workers = 2;
    const long LimitNanos = 3_600_000_000_000;

    static readonly string[] Rtts = ["25ms", "50ms", "100ms", "200ms"];
    static readonly long[] Megabytes = [32, 128];

    static readonly (string Name, string Reordering)[] Cases =
        [("without reordering", ""), ("1 % early: 5 ms in place of the delay", "out:1pct:replace:5ms"), ("1 % late by 5 ms", "out:1pct:add:5ms")];

    static readonly (string Name, SenderTraits Traits)[] Senders =
    [
        .. ((int[])[10_586, 14_393, 17_763, 18_362, 19_041, 22_000, 22_621]).Select(build => ($"build {build}", SenderVariants.FindBuild(build)!)),
        .. ((string[])["rfc", "adaptive", "fixed", "no-sack"]).Select(name => (name is "rfc" ? "RFCs as they stand" : $"Linux {name}", SenderVariants.Find(name)!)),
    ];

    /// <summary>The tables: Mbit/s, the mean of the runs.</summary>
    /// <param name="seed">The first seed.</param>
    /// <param name="runs">Runs of each sender in each cell.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(ulong seed, int runs)
    {
        StringBuilder text = new();
        foreach ((string name, string reordering) in Cases)
        {
            text.Append(CultureInfo.InvariantCulture, $"### {name}\n\n| sender |");
            text.AppendJoin("", Cells().Select(cell => $" {cell.Rtt}, {cell.Megabytes} MB |")).Append("\n|---|").AppendJoin("", Cells().Select(_ => "--:|")).Append('\n');
            foreach ((string sender, SenderTraits traits) in Senders)
            {
                Append(text, sender, traits, reordering, seed, runs);
                if (traits.Congestion.Exit != SlowStartExit.LossOnly)
                {
                    SenderTraits lossOnly = traits with { Congestion = traits.Congestion with { Exit = SlowStartExit.LossOnly } };
                    Append(text, "– slow start until a loss", lossOnly, reordering, seed, runs);
                }
            }

            text.Append('\n');
        }

        return text.ToString();
    }

    static IEnumerable<(string Rtt, long Megabytes)> Cells() => from rtt in Rtts from megabytes in Megabytes select (rtt, megabytes);

    static void Append(StringBuilder text, string name, SenderTraits traits, string reordering, ulong seed, int runs)
    {
        (string Rtt, long Megabytes)[] cells = [.. Cells()];
        double[] rates = new double[cells.Length * runs];
        Parallel.For(0, rates.Length, new ParallelOptions { MaxDegreeOfParallelism = Workers }, i => rates[i] = Simulate(
            traits, cells[i / runs].Rtt, cells[i / runs].Megabytes, reordering, seed + (ulong)(i % runs)));
        text.Append(CultureInfo.InvariantCulture, $"| {name} |");
        text.AppendJoin("", cells.Select((_, cell) => string.Create(CultureInfo.InvariantCulture, $" {rates.Skip(cell * runs).Take(runs).Average() / 1e6:0.0} |")));
        text.Append('\n');
    }

    static double Simulate(SenderTraits traits, string rtt, long megabytes, string reordering, ulong seed)
    {
        ImpairmentOptionsParser path = new();
        path.Set("rate", "rate", "100mbit");
        path.Set("rtt", "rtt", rtt);
        path.Set("buffer", "buffer", "1bdp");
        if (reordering.Length > 0)
        {
            path.Set("reorder", "reorder", reordering);
        }

        SimulatedFlow flow = new()
        {
            Sender = traits,
            Receiver = ReceiverVariants.Linux(traits.Detection == LossDetection.NewReno ? "no-sack" : "adaptive"),
            Bytes = megabytes * 1_000_000,
            LimitNanos = LimitNanos,
        };
        return new Simulation(flow, path.Build().Settings with { Seed = seed }, []).Run().GoodputBitsPerSecond;
    }
}
