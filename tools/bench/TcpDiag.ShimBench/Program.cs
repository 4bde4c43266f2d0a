using System;
using System.Globalization;
using System.Runtime.Versioning;
using TcpDiag.ShimBench;

// What the emulator costs beside a loop that only reads and writes, in one run, alternating; and how punctual it is.
//
//   dotnet run -c Release --project tools/bench/TcpDiag.ShimBench [seconds per sample] [rounds]
//
// Needs root, ip and iperf3. Prints medians and their ratio; the rest of the machine should be quiet.
if (!OperatingSystem.IsLinux())
{
    Console.Error.WriteLine("This benchmark needs Linux.");
    return 1;
}

int seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 3;
int rounds = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 3;
Run(seconds, rounds);
return 0;

[SupportedOSPlatform("linux")]
static void Run(int seconds, int rounds)
{
    using Bench bench = new();
    Compare(bench, "TCP, 1500 bytes", FormattableString.Invariant($"-t {seconds}"), rounds);
    Compare(bench, "UDP, 64 bytes", FormattableString.Invariant($"-t {seconds} -u -b 0 -l 36"), rounds);
    ComparePaced(bench, seconds);
    Punctuality(bench, "100 Mbit/s, 25 ms", seconds, "rate 100mbit", "rtt 25ms", "buffer 1bdp");
    Punctuality(bench, "s2-reorder", seconds, "rate 100mbit", "rtt 25ms", "buffer 1bdp", "reorder out:1pct:replace:5ms");
    Punctuality(bench, "1 Gbit/s, 50 ms", seconds, "rate 1gbit", "rtt 50ms", "buffer 1bdp");
}

[SupportedOSPlatform("linux")]
static void Compare(Bench bench, string name, string traffic, int rounds)
{
    double[] bare = new double[rounds];
    double[] emulated = new double[rounds];
    double bareCpu = 0;
    double emulatedCpu = 0;
    double bits = 0;
    for (int i = 0; i < rounds; i++)
    {
        Bench.Sample one = bench.Bare(traffic);
        Bench.Sample other = bench.Emulated(traffic, "rtt 0ms", "loss 1ppm");
        bare[i] = one.PacketsPerSecond;
        emulated[i] = other.PacketsPerSecond;
        bareCpu += one.CpuMicrosecondsPerPacket / rounds;
        emulatedCpu += other.CpuMicrosecondsPerPacket / rounds;
        bits = Math.Max(bits, other.BitsPerSecond);
    }

    Array.Sort(bare);
    Array.Sort(emulated);
    double ratio = emulated[rounds / 2] / bare[rounds / 2];
    Console.WriteLine(FormattableString.Invariant(
        $"{name}: bare {bare[rounds / 2]:N0} packets/s ({bareCpu:F2} us CPU each), emulated {emulated[rounds / 2]:N0} ({emulatedCpu:F2} us), ratio {ratio:P0}, best goodput {bits / 1e6:N0} Mbit/s"));
}

// At one rate that all three keep: what a packet costs the whole machine, sender and receiver included.
[SupportedOSPlatform("linux")]
static void ComparePaced(Bench bench, int seconds)
{
    string traffic = FormattableString.Invariant($"-t {seconds * 2} -u -b 600M -l 1448");
    using ForwardingBench forwarding = new();
    double kernel = ForwardingBench.Measure(traffic);
    double bare = bench.Bare(traffic).MachineMicrosecondsPerPacket;
    double emulated = bench.Emulated(traffic, "delay 1ms", "rate 10gbit").MachineMicrosecondsPerPacket;
    Console.WriteLine(FormattableString.Invariant(
        $"UDP, 600 Mbit/s in full packets, CPU of the whole machine per packet: kernel forwarding {kernel:F2} us, bare TUN loop {bare:F2} us, emulated {emulated:F2} us"));
}

[SupportedOSPlatform("linux")]
static void Punctuality(Bench bench, string name, int seconds, params string[] options)
{
    Bench.Sample sample = bench.Emulated(FormattableString.Invariant($"-t {seconds * 2}"), options);
    var report = sample.Report!;
    Console.WriteLine(FormattableString.Invariant(
        $"{name}: goodput {sample.BitsPerSecond / 1e6:F1} Mbit/s, {report.Figures.Forwarded:N0} packets, delay error p50 {report.Figures.DelayErrorP50Ns / 1e3:F1} us, p99 {report.Figures.DelayErrorP99Ns / 1e3:F1} us, max {report.Figures.DelayErrorMaxNs / 1e3:F0} us, real time {report.IsRealTime}, {report.Fault ?? "valid"}"));
}
