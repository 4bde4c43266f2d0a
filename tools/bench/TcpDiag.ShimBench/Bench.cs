using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;
using TcpDiag.Shim.Linux;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.ShimBench;

/// <summary>Two namespaces joined by TUN devices, iperf3 between them, and a port in the middle that either emulates or only reads and writes.</summary>
[SupportedOSPlatform("linux")]
sealed class Bench : IDisposable
{
    const string Near = "tdbn";
    const string Far = "tdbf";
    const string FarAddress = "10.78.0.2";

    readonly TunLink _link;
    readonly Process _server;

    public Bench()
    {
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
        NetworkNamespace.Create(Near);
        NetworkNamespace.Create(Far);
        _link = new TunLink(End(Near, "10.78.0.1"), End(Far, FarAddress));
        _server = Start(Far, "iperf3 -s");
    }

    /// <summary>Busy CPU time of the whole machine, all cores, from /proc/stat in its ticks of 10 ms.</summary>
    public static double BusyMicroseconds()
    {
        string[] words = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        long[] ticks = [.. words.Skip(1).Select(word => long.Parse(word, CultureInfo.InvariantCulture))];

        // user, nice, system, irq, softirq: columns 0, 1, 2, 5, 6 of proc_stat(5).
        return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * 10_000.0;
    }

    /// <summary>What iperf3 measured while packets went through a loop of some kind.</summary>
    public sealed record Sample(double BitsPerSecond, double PacketsPerSecond, double CpuMicrosecondsPerPacket, double MachineMicrosecondsPerPacket, ShimReport? Report);

    /// <summary>Traffic through a loop that reads and writes and does nothing else.</summary>
    public Sample Bare(string traffic)
    {
        using CancellationTokenSource stop = new();
        long packets = 0;
        Thread loop = new(() => packets = Copy(stop.Token));
        return Measure(traffic, () => loop.Start(), () =>
        {
            stop.Cancel();
            loop.Join();
            return (packets, null);
        });
    }

    /// <summary>Traffic through the emulator.</summary>
    public Sample Emulated(string traffic, params string[] options)
    {
        using CancellationTokenSource stop = new();
        ImpairmentProfile profile = Profile(options);
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2) };
        Task<ShimReport>? task = null;
        return Measure(
            traffic,
            () => task = Task.Factory.StartNew(
                () => ShimRun.Run(_link, new MatchAll(), profile, run, stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default),
            () =>
            {
                stop.Cancel();
                ShimReport report = task!.GetAwaiter().GetResult();
                return (report.Figures.Offered, report);
            });
    }

    public void Dispose()
    {
        _server.Kill(entireProcessTree: true);
        _server.WaitForExit();
        _server.Dispose();
        _link.Dispose();
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
    }

    static Sample Measure(string traffic, Action start, Func<(long Packets, ShimReport? Report)> stop)
    {
        double machine = BusyMicroseconds();
        TimeSpan cpu = Process.GetCurrentProcess().TotalProcessorTime;
        start();
        long began = Stopwatch.GetTimestamp();
        using Process client = Start(Near, $"iperf3 -c {FarAddress} -J {traffic}");
        string json = client.StandardOutput.ReadToEnd();
        client.WaitForExit();
        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        (long packets, ShimReport? report) = stop();
        double cpuUs = (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalMicroseconds;
        double machineUs = BusyMicroseconds() - machine;
        return new Sample(BitsPerSecond(json), packets / seconds, cpuUs / Math.Max(1, packets), machineUs / Math.Max(1, packets), report);
    }

    static double BitsPerSecond(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement end = document.RootElement.GetProperty("end");
        string name = end.TryGetProperty("sum_received", out _) ? "sum_received" : "sum";
        return end.GetProperty(name).GetProperty("bits_per_second").GetDouble();
    }

    // The same port, thread priority and wait as the emulator's loop.
    long Copy(CancellationToken stop)
    {
        RealTimePriority.TryTake();
        byte[] buffer = new byte[2048];
        long packets = 0;
        while (!stop.IsCancellationRequested)
        {
            int length = _link.Receive(buffer, out PacketOrigin origin);
            if (length == 0)
            {
                _link.Wait(50_000_000);
                continue;
            }

            _link.Complete(buffer.AsSpan(0, length), in origin, isFirst: true);
            packets++;
        }

        return packets;
    }

    static ImpairmentProfile Profile(string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        return parser.Build();
    }

    static TunEnd End(string place, string address) =>
        IpAddress.TryParse(address, out IpAddress parsed) ? new TunEnd(place, "link0", parsed, 24) : throw new ArgumentException("No address.", nameof(address));

    static Process Start(string place, string command)
    {
        ProcessStartInfo start = new("ip", string.Create(CultureInfo.InvariantCulture, $"netns exec {place} {command}")) { RedirectStandardOutput = true, UseShellExecute = false };
        return Process.Start(start) ?? throw new InvalidOperationException($"{command} did not start.");
    }
}
