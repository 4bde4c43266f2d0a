using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.ShimBench;

/// <summary>
/// The sections about the recorder: the same bulk transfer with it and without, in turn; and more packets than can be taken in, beside dumpcap.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class RecorderSection(Page page, int seconds, int rounds)
{
    // It starts before the transfer, and ends by the clock.
    const int DumpcapSeconds = 2;

    static readonly string[] PacketsOnly = ["--no-events"];

    /// <summary>Runs it.</summary>
    public void Run()
    {
        page.Line();
        page.Line("## A bulk transfer with the recorder beside it");
        page.Line();
        page.Line("The machine's processor time is all that both processors did while the transfer ran, for each bit of it: sender, path, receiver and "
            + "recorder.");
        page.Table(
            "path", "recorder", "goodput without", "ratio, 95 % interval", "machine's processor time a bit, ratio", "recorder's processor time",
                "recorded a second", "lost");
        string traffic = FormattableString.Invariant($"-t {seconds}");
        using (CableBench cable = new())
        {
            Func<double> run = () => cable.Emulated(traffic, Stream.Null, "rate 100mbit", "rtt 10ms", "buffer 1bdp").BitsPerSecond;
            Compare("emulated, 100 Mbit/s, 10 ms", "packets, events, samples", run, $"{CableBench.Near}/{CableBench.Device}");
        }

        using RecorderBench veth = new();
        Func<double> unpaced = () => RecorderBench.Transfer(traffic).BitsPerSecond;
        Func<double> paced = () => RecorderBench.Transfer(traffic + " -b 100M").BitsPerSecond;
        Compare("veth, 100 Mbit/s", "packets, events, samples", paced, RecorderBench.Place);
        Compare("veth, as fast as it goes", "packets", unpaced, RecorderBench.Place, PacketsOnly);
        Compare("veth, as fast as it goes", "packets, events, samples", unpaced, RecorderBench.Place);
        BesideDumpcap(traffic + " -u -b 0 -l 64");
    }

    void Compare(string path, string what, Func<double> transfer, string place, params string[] options)
    {
        Cost[] without = new Cost[rounds];
        Cost[] with = new Cost[rounds];
        RecorderBench.Recording sum = new(0, 0, 0, 0);
        for (int i = 0; i < rounds; i++)
        {
            without[i] = Cost.Of(transfer);
            sum += RecorderBench.Record(place, "tcp", () => with[i] = Cost.Of(transfer), options);
        }

        double time = seconds * rounds;
        double[] plain = Array.ConvertAll(without, cost => cost.BitsPerSecond);
        Bootstrap goodput = Bootstrap.OfRatios(Array.ConvertAll(with, cost => cost.BitsPerSecond), plain);
        Bootstrap processor = Bootstrap.OfRatios(Array.ConvertAll(with, cost => cost.BusyUsPerBit), Array.ConvertAll(without, cost => cost.BusyUsPerBit));
        page.Line(
            $"| {path} | {what} | {Bootstrap.MedianOf(plain) / 1e6:N0} Mbit/s | {goodput} | {processor} | {sum.CpuSeconds / time:P0} of one | "
                + $"{sum.Packets / time:N0} packets, {sum.Events / time:N0} events | {sum.Lost:N0} |");
    }

    // Datagrams of 64 bytes, more than anything here takes in.
    void BesideDumpcap(string traffic)
    {
        page.Line();
        page.Line("## Datagrams of 64 bytes as fast as they go, recorded by us and by dumpcap in turn");
        page.Table("recorder", "sent a second", "recorded a second", "lost", "its processor time, start included, a million recorded");
        Losses ours = default;
        Losses dumpcaps = default;
        for (int i = 0; i < rounds; i++)
        {
            long sent = 0;
            Action transfer = () => sent = RecorderBench.Transfer(traffic).Packets;
            ours += new Losses(RecorderBench.Record(RecorderBench.Place, "udp", transfer, PacketsOnly), sent);
            dumpcaps += new Losses(RecorderBench.RecordWithDumpcap(seconds + DumpcapSeconds, transfer), sent);
        }

        Tell("tcpdiag", ours);
        Tell("dumpcap", dumpcaps);
    }

    void Tell(string name, Losses losses)
    {
        double time = seconds * rounds;
        page.Line($"| {name} | {losses.Sent / time:N0} | {losses.Packets / time:N0} | {losses.Lost / (double)(losses.Packets + losses.Lost):P2} | "
            + $"{losses.CpuSeconds / losses.Packets * 1e6:N2} s |");
    }

    readonly record struct Losses(long Sent, long Packets, long Lost, double CpuSeconds)
    {
        public Losses(RecorderBench.Recording recording, long sent)
            : this(sent, recording.Packets, recording.Lost, recording.CpuSeconds)
        {
        }

        public static Losses operator +(Losses one, Losses other) =>
            new(one.Sent + other.Sent, one.Packets + other.Packets, one.Lost + other.Lost, one.CpuSeconds + other.CpuSeconds);
    }

    readonly record struct Cost(double BitsPerSecond, double BusyUsPerBit)
    {
        public static Cost Of(Func<double> transfer)
        {
            Machine before = Machine.Read();
            long began = Stopwatch.GetTimestamp();
            double goodput = transfer();
            double bits = goodput * Stopwatch.GetElapsedTime(began).TotalSeconds;
            return new Cost(goodput, Machine.Read().Since(before).BusyUs / bits);
        }
    }
}
