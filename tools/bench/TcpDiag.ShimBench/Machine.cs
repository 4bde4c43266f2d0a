using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace TcpDiag.ShimBench;

/// <summary>The processors of this machine, by /proc/stat (proc_stat(5), ticks of 10 ms over all of them).</summary>
/// <param name="BusyUs">Time spent on anything, microseconds.</param>
/// <param name="SoftIrqUs">Of that, time spent on network and timer work of the kernel, microseconds.</param>
readonly record struct Machine(double BusyUs, double SoftIrqUs)
{
    const double TickUs = 10_000;

    /// <summary>Above this share of other work the figures of a run are marked.</summary>
    public const double QuietShare = 0.05;

    /// <summary>The counters as they stand.</summary>
    public static Machine Read()
    {
        string[] words = File.ReadLines("/proc/stat").First().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        long[] ticks = [.. words.Skip(1).Select(word => long.Parse(word, CultureInfo.InvariantCulture))];

        // user, nice, system, irq, softirq
        return new Machine((ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * TickUs, ticks[6] * TickUs);
    }

    /// <summary>What others use of the machine, as a share of all processors: measured while this program waits.</summary>
    public static double OtherWork()
    {
        const int WindowMs = 2000;
        Machine before = Read();
        using ManualResetEventSlim never = new(initialState: false);
        never.Wait(WindowMs);
        return (Read().BusyUs - before.BusyUs) / (WindowMs * 1000.0 * Environment.ProcessorCount);
    }

    /// <summary>What was spent since an earlier reading.</summary>
    public Machine Since(Machine earlier) => new(BusyUs - earlier.BusyUs, SoftIrqUs - earlier.SoftIrqUs);
}
