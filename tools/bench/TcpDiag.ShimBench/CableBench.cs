using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Platform.Linux;
using TcpDiag.Shim;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.ShimBench;

/// <summary>Two namespaces joined by TUN devices, iperf3 between them, and a port in the middle that either emulates or only reads and writes.</summary>
[SupportedOSPlatform("linux")]
sealed class CableBench : IDisposable
{
    public const string Near = "tdbn";
    public const string Far = "tdbf";
    public const string Device = "link0";
    const string FarAddress = "10.78.0.2";

    readonly TunLink _link;
    readonly Process _server;

    public CableBench()
    {
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
        NetworkNamespace.Create(Near);
        NetworkNamespace.Create(Far);
        _link = new TunLink(End(Near, "10.78.0.1"), End(Far, FarAddress));
        _server = Iperf.Serve(Far);
    }

    /// <summary>What happened while packets went through a loop of some kind.</summary>
    /// <param name="BitsPerSecond">Goodput.</param>
    /// <param name="PacketsPerSecond">Packets through the loop, both directions.</param>
    /// <param name="CpuUs">Processor time of the loop's process per packet, microseconds.</param>
    /// <param name="Machine">Processor time of the whole machine per packet.</param>
    /// <param name="Allocations">What the emulator's process allocated; null for the bare loop.</param>
    /// <param name="Report">The emulator's report.</param>
    public sealed record Sample(double BitsPerSecond, double PacketsPerSecond, double CpuUs, Machine Machine, AllocationWatch? Allocations, ShimReport? Report);

    /// <summary>Traffic through a loop that reads and writes and does nothing else.</summary>
    public Sample Bare(string traffic)
    {
        using CancellationTokenSource stop = new();
        long packets = 0;
        Thread loop = new(() => packets = Copy(stop.Token));
        return Measure(traffic, loop.Start, () =>
        {
            stop.Cancel();
            loop.Join();
            return (packets, null);
        });
    }

    /// <summary>Traffic through the emulator, its decisions logged.</summary>
    /// <param name="traffic">Options of iperf3.</param>
    /// <param name="log">Takes the log; null for none.</param>
    /// <param name="options">What is emulated.</param>
    public Sample Emulated(string traffic, Stream? log, params string[] options)
    {
        using CancellationTokenSource stop = new();
        ImpairmentProfile profile = Profile(options);
        AllocationWatch watch = new();
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(5), Log = log, Progress = watch.See };
        Task<ShimReport>? task = null;
        Sample sample = Measure(
            traffic,
            () => task = Task.Factory.StartNew(
                () => ShimRun.Run(_link, new MatchAll(), profile, run, stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default),
            () =>
            {
                stop.Cancel();
                ShimReport report = task!.GetAwaiter().GetResult();
                return (report.Figures.Offered, report);
            });
        return sample with { Allocations = watch };
    }

    public void Dispose()
    {
        Programs.Stop(_server);
        _link.Dispose();
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
    }

    static Sample Measure(string traffic, Action start, Func<(long Packets, ShimReport? Report)> stop)
    {
        Machine machine = Machine.Read();
        TimeSpan cpu = Process.GetCurrentProcess().TotalProcessorTime;
        start();
        long began = Stopwatch.GetTimestamp();
        Iperf.Result result = Iperf.Run(Near, FarAddress, traffic);
        double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        (long packets, ShimReport? report) = stop();
        double cpuUs = (Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalMicroseconds;
        Machine spent = Machine.Read().Since(machine);
        double each = Math.Max(1, packets);
        return new Sample(result.BitsPerSecond, packets / seconds, cpuUs / each, spent.Each(each), null, report);
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
        IpAddress.TryParse(address, out IpAddress parsed) ? new TunEnd(place, Device, parsed, 24) : throw new ArgumentException("No address.", nameof(address));
}
