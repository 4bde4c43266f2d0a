using System;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.ShimBench;

/// <summary>The section about the recorder: the same bulk transfer with it and without, in turn.</summary>
[SupportedOSPlatform("linux")]
sealed class RecorderSection(Page page, int seconds, int rounds)
{
    static readonly string[] PacketsOnly = ["--no-events"];

    /// <summary>Runs it.</summary>
    public void Run()
    {
        page.Line();
        page.Line("## A bulk transfer with the recorder beside it");
        page.Table("path", "recorder", "goodput without", "ratio, 95 % interval", "recorder's processor time", "recorded a second", "lost");
        string traffic = FormattableString.Invariant($"-t {seconds}");
        using (CableBench cable = new())
        {
            Func<double> run = () => cable.Emulated(traffic, Stream.Null, "rate 100mbit", "rtt 10ms", "buffer 1bdp").BitsPerSecond;
            Compare("emulated, 100 Mbit/s, 10 ms", "packets, events, samples", run, $"{CableBench.Near}/{CableBench.Device}");
        }

        using RecorderBench veth = new();
        Func<double> unpaced = () => RecorderBench.Plain(traffic);
        Func<double> paced = () => RecorderBench.Plain(traffic + " -b 100M");
        Compare("veth, 100 Mbit/s", "packets, events, samples", paced, RecorderBench.Place);
        Compare("veth, as fast as it goes", "packets", unpaced, RecorderBench.Place, PacketsOnly);
        Compare("veth, as fast as it goes", "packets, events, samples", unpaced, RecorderBench.Place);
    }

    void Compare(string path, string what, Func<double> transfer, string place, params string[] options)
    {
        double[] without = new double[rounds];
        double[] with = new double[rounds];
        RecorderBench.Recording sum = new(0, 0, 0, 0);
        for (int i = 0; i < rounds; i++)
        {
            without[i] = transfer();
            with[i] = RecorderBench.Recorded(place, transfer, out RecorderBench.Recording one, options);
            sum = new(sum.CpuSeconds + one.CpuSeconds, sum.Packets + one.Packets, sum.Events + one.Events, sum.Lost + one.Lost);
        }

        double time = seconds * rounds;
        page.Line(
            $"| {path} | {what} | {Bootstrap.MedianOf(without) / 1e6:N0} Mbit/s | {Bootstrap.OfRatios(with, without)} | {sum.CpuSeconds / time:P0} of one | {sum.Packets / time:N0} packets, {sum.Events / time:N0} events | {sum.Lost:N0} |");
    }
}
