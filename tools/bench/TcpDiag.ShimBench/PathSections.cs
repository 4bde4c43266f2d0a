using System;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.ShimBench;

/// <summary>The sections about the emulated path.</summary>
[SupportedOSPlatform("linux")]
sealed class PathSections(Page page, int seconds, int rounds)
{
    const int Packets = 1_000_000;
    const double LossAsked = 0.01;
    const double ReorderAsked = 0.01;

    // A cell of the matrix `wan` whose packets are later than that is marked.
    const double LateUs = 1000;

    /// <summary>Runs them.</summary>
    public void Run()
    {
        using CableBench cable = new();
        WriteLog(cable);
        WriteThroughput(cable);
        WriteForwarding(cable);
        WritePunctuality(cable);
    }

    // Small packets, so that a million of them pass 100 Mbit/s in ten seconds.
    void WriteLog(CableBench cable)
    {
        string path = Path.GetTempFileName();
        CableBench.Sample sample;
        Machine before = Machine.Read();
        using (FileStream log = File.Create(path))
        {
            sample = cable.Emulated(
                FormattableString.Invariant($"-u -b 65M -l 72 -k {Packets}"), log, "rate 100mbit", "delay 10ms", "buffer 1000pkt", "loss out:1pct",
                    "reorder out:1pct:add:5ms", "seed 7");
        }

        double stolenMs = Machine.Read().Since(before).StolenUs / 1000;
        using FileStream written = File.OpenRead(path);
        DecisionCount count = DecisionCount.Read(written);
        page.Line();
        page.Line("## A log of a million packets");
        page.Table("what", "in the log");
        page.Line($"| loss | {DecisionCount.Rate(count.Lost, count.Offered, LossAsked)} |");
        page.Line($"| reordering (5 ms more) | {DecisionCount.Rate(count.Reordered, count.Offered - count.Lost - count.OtherDrops, ReorderAsked)} |");
        page.Line($"| delay error at 100 Mbit/s, {Priority(sample)} | p50 {count.P50Us:F1} µs, p99 {count.P99Us:F1} µs |");
        page.Line($"| the host ran something else on our processors meanwhile | {stolenMs:F0} ms |");
        AllocationWatch watch = sample.Allocations!;
        page.Line($"| managed memory allocated from the fifth second on | {watch.Bytes / Math.Max(1, watch.Packets)} bytes a packet ({watch.Bytes:N0} bytes, "
            + $"{watch.Packets:N0} packets) |");
        File.Delete(path);
    }

    void WriteThroughput(CableBench cable)
    {
        page.Line();
        page.Line("## Throughput: rate 10 Gbit/s, delay 1 ms and log on, beside a loop that only reads and writes");
        page.Table("traffic over TUN", "bare loop", "emulated", "ratio, 95 % interval");
        Compare(cable, "TCP, 1500 bytes", FormattableString.Invariant($"-t {seconds}"));
        Compare(cable, "UDP, 64 bytes", FormattableString.Invariant($"-t {seconds} -u -b 0 -l 36"));
    }

    void Compare(CableBench cable, string name, string traffic)
    {
        double[] bare = new double[rounds];
        double[] emulated = new double[rounds];
        double[] cpu = new double[2];
        for (int i = 0; i < rounds; i++)
        {
            CableBench.Sample one = cable.Bare(traffic);
            CableBench.Sample two = cable.Emulated(traffic, Stream.Null, "rate 10gbit", "delay 1ms", "buffer 10000pkt");
            (bare[i], emulated[i]) = (one.PacketsPerSecond, two.PacketsPerSecond);
            cpu[0] += one.CpuUs / rounds;
            cpu[1] += two.CpuUs / rounds;
        }

        page.Line(
            $"| {name} | {Bootstrap.MedianOf(bare):N0} packets/s, {cpu[0]:F2} µs each | {Bootstrap.MedianOf(emulated):N0} packets/s, {cpu[1]:F2} µs each | "
                + $"{Bootstrap.OfRatios(emulated, bare)} |");
    }

    // At one rate that all three keep: what a packet costs the whole machine, sender and receiver included.
    void WriteForwarding(CableBench cable)
    {
        string traffic = FormattableString.Invariant($"-t {seconds * 2} -u -b 400M -l 1448");
        Machine kernel;
        using (ForwardingBench forwarding = new())
        {
            kernel = ForwardingBench.Measure(traffic);
        }

        Machine bare = cable.Bare(traffic).Machine;
        Machine emulated = cable.Emulated(traffic, Stream.Null, "delay 1ms", "rate 10gbit").Machine;
        page.Line();
        page.Line("## Processor time of the whole machine per packet: UDP, 400 Mbit/s in full packets");
        page.Table("way", "a packet", "beside the kernel's");
        Row("veth, ip_forward, veth", kernel, kernel);
        Row("TUN, bare loop", bare, kernel);
        Row("TUN, emulated and logged", emulated, kernel);
    }

    void Row(string name, Machine machine, Machine kernel) =>
        page.Line($"| {name} | {machine.BusyUs:F2} µs | × {machine.BusyUs / kernel.BusyUs:F2} |");

    void WritePunctuality(CableBench cable)
    {
        page.Line();
        page.Line("## Delay error of TCP runs");
        page.Table("path", "goodput", "packets", "p50", "p99", "max", "");
        Punctual(cable, "100 Mbit/s, RTT 25 ms, 1 BDP", "rate 100mbit", "rtt 25ms", "buffer 1bdp");
        Punctual(cable, "the same, 1 % early (`s2-reorder`)", "rate 100mbit", "rtt 25ms", "buffer 1bdp", "reorder out:1pct:replace:5ms");
        foreach (string rtt in new[] { "5ms", "50ms", "200ms" })
        {
            Punctual(cable, $"`wan`: 1 Gbit/s, RTT {rtt}, 1 BDP", "rate 1gbit", $"rtt {rtt}", "buffer 1bdp");
            Punctual(cable, $"`wan`: 1 Gbit/s, RTT {rtt}, 1 BDP, loss and reordering 1/1000", "rate 1gbit", $"rtt {rtt}", "buffer 1bdp", "loss out:1/1000",
                "reorder out:1/1000:replace:1ms");
        }
    }

    void Punctual(CableBench cable, string name, params string[] options)
    {
        CableBench.Sample sample = cable.Emulated(FormattableString.Invariant($"-t {seconds * 2}"), Stream.Null, options);
        var figures = sample.Report!.Figures;
        string mark = figures.DelayErrorP99Ns / 1000.0 > LateUs ? "**late**" : sample.Report.Fault is null ? "" : "void";
        page.Line(
            $"| {name} | {sample.BitsPerSecond / 1e6:F1} Mbit/s | {figures.Forwarded:N0} | {figures.DelayErrorP50Ns / 1e3:F1} µs | "
                + $"{figures.DelayErrorP99Ns / 1e3:F1} µs | {figures.DelayErrorMaxNs / 1e3:F0} µs | {mark} |");
    }

    static string Priority(CableBench.Sample sample) => sample.Report!.IsRealTime ? "SCHED_FIFO" : "no real-time priority";
}
