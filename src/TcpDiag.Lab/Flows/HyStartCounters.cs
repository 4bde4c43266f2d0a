using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Flows;

/// <summary>How the sender's kernel left slow start without loss: counters of its network namespace over one connection (nstat: TcpExtTCPHystart…).</summary>
/// <param name="TrainDetect">Times that acknowledgments came close together for half a round trip (TCPHystartTrainDetect).</param>
/// <param name="TrainCwnd">Congestion windows then, added up, segments (TCPHystartTrainCwnd).</param>
/// <param name="DelayDetect">Times that a round took longer than the smallest round trip (TCPHystartDelayDetect).</param>
/// <param name="DelayCwnd">Congestion windows then, added up, segments (TCPHystartDelayCwnd).</param>
public sealed record HyStartCounters(long TrainDetect, long TrainCwnd, long DelayDetect, long DelayCwnd)
{
    // Of the thread: /proc/net is that of the process, which may be in another namespace.
    const string NetstatFile = "/proc/thread-self/net/netstat";
    const string Group = "TcpExt: ";

    /// <summary>Reads the counters of a namespace.</summary>
    /// <param name="networkNamespace">Its name; empty for the process's own.</param>
    /// <returns>The counters; null on other systems and where the kernel does not count them.</returns>
    public static HyStartCounters? Read(string networkNamespace)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        string text = string.Empty;
        NetworkNamespace.Run(networkNamespace, () => text = File.ReadAllText(NetstatFile));
        return Parse(text);
    }

    /// <summary>Reads the text of /proc/net/netstat: a line of names and a line of values for each group.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The counters; null where one is missing.</returns>
    internal static HyStartCounters? Parse(string text)
    {
        string[][] lines = [.. text.Split('\n').Where(line => line.StartsWith(Group, StringComparison.Ordinal)).Select(line => line.Split(' '))];
        if (lines is not [string[] names, string[] values] || names.Length != values.Length)
        {
            return null;
        }

        return ValueOf("TCPHystartTrainDetect") is { } trains
            && ValueOf("TCPHystartTrainCwnd") is { } trainCwnd
            && ValueOf("TCPHystartDelayDetect") is { } delays
            && ValueOf("TCPHystartDelayCwnd") is { } delayCwnd
            ? new(trains, trainCwnd, delays, delayCwnd)
            : null;

        long? ValueOf(string name) =>
            Array.IndexOf(names, name) is > 0 and { } place && long.TryParse(values[place], CultureInfo.InvariantCulture, out long value) ? value : null;
    }

    /// <summary>What was counted since an earlier reading.</summary>
    /// <param name="before">That reading.</param>
    public HyStartCounters Since(HyStartCounters before) =>
        new(TrainDetect - before.TrainDetect, TrainCwnd - before.TrainCwnd, DelayDetect - before.DelayDetect, DelayCwnd - before.DelayCwnd);
}
