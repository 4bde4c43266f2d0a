using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Capture.Sessions;

/// <summary>Whether a trace opens and holds what a diagnosis needs: packets and events of the TCP stack. If not, why.</summary>
static class TraceCheck
{
    /// <summary>Why events of the TCP stack may be missing where they were asked for and the engine records them.</summary>
    public const string NoEvents = "no events of the TCP stack were recorded: no connection was busy, or a policy keeps the provider Microsoft-Windows-TCPIP off";

    const long NanosecondsPerTick = 100;

    // A recording whose first record comes so soon after its start has overwritten nothing.
    static readonly TimeSpan WholeWithin = TimeSpan.FromSeconds(5);

    /// <summary>Looks into a trace.</summary>
    /// <param name="files">The trace, or its pieces in their order.</param>
    /// <param name="promisesPackets">Whether the engine records packets by itself.</param>
    /// <param name="noEvents">What to say where it holds no events of the TCP stack; null for nothing, where nobody expects them.</param>
    /// <param name="remarks">Takes what is missing, one sentence each.</param>
    /// <returns>What it holds, all pieces together; null when one does not open.</returns>
    public static TraceInspection? Inspect(IReadOnlyList<string> files, bool promisesPackets, string? noEvents, ICollection<string> remarks)
    {
        TraceInspection trace;
        try
        {
            trace = TraceInspection.Join([.. files.Select(TraceInspector.Inspect)]);
        }
        catch (Exception exception) when (exception is TraceFormatException or TraceInputException)
        {
            remarks.Add($"the trace cannot be read: {exception.Message}");
            return null;
        }

        if (trace.Packets == 0)
        {
            remarks.Add(promisesPackets
                ? "no packets were recorded: none matched, or another program holds the capture driver"
                : "no packets were recorded: nobody kept pktmon or netsh capturing meanwhile");
        }

        if (TcpEvents(trace) == 0 && noEvents is not null && !remarks.Contains(noEvents))
        {
            remarks.Add(noEvents);
        }

        foreach (TraceProblem problem in trace.Problems.Take(1))
        {
            remarks.Add($"the trace is damaged: {problem.Message}");
        }

        return trace;
    }

    /// <summary>Remarks how far a ring of Windows reaches back, which knows only sizes, where that is less than asked for.</summary>
    /// <param name="path">The trace.</param>
    /// <param name="trace">What it holds.</param>
    /// <param name="asked">How far it should reach back; null when nobody asked.</param>
    /// <param name="remarks">Takes the remark.</param>
    public static void CheckRing(string path, TraceInspection trace, TimeSpan? asked, ICollection<string> remarks)
    {
        if (trace is not { Start: { } begun, End: { } end } || asked is not { } wanted)
        {
            return;
        }

        using TraceReader reader = TraceFile.Open(path);
        var first = default(TraceRecord);
        bool isCut = reader.TryRead(ref first) && first.Time - begun > (long)WholeWithin.TotalNanoseconds;
        var held = TimeSpan.FromTicks((end - first.Time) / NanosecondsPerTick);
        if (isCut && held < wanted)
        {
            remarks.Add(FormattableString.Invariant($"the ring holds the last {held.TotalSeconds:F1} s, less than the {wanted.TotalSeconds} s asked for: raise --size"));
        }
    }

    /// <summary>Whether a trace is what was asked for.</summary>
    /// <param name="trace">The trace; null when it does not open.</param>
    /// <param name="promisesPackets">Whether the engine records packets by itself.</param>
    /// <returns>False when it is damaged, or empty.</returns>
    public static bool IsWhole(TraceInspection? trace, bool promisesPackets) =>
        trace is { IsComplete: true } && (trace.Packets > 0 || (!promisesPackets && TcpEvents(trace) > 0));

    /// <summary>Events of the TCP stack in a trace.</summary>
    /// <param name="trace">The trace; null counts as empty.</param>
    /// <returns>Their number.</returns>
    public static long TcpEvents(TraceInspection? trace) =>
        trace?.Providers.Where(provider => provider.Provider == KnownProviders.TcpIp).Sum(provider => provider.Count) ?? 0;
}
