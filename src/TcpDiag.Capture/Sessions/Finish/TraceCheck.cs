using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Inspection;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Sessions.Finish;

/// <summary>Whether a trace opens and holds what a diagnosis needs: packets and events of the TCP stack; if not, why.</summary>
static class TraceCheck
{
    /// <summary>Why requested events of the TCP stack may be missing although the engine records them.</summary>
    public const string NoEvents = "no events of the TCP stack were recorded: no connection was busy, or a policy keeps the provider "
        + "Microsoft-Windows-TCPIP off";

    const long NanosecondsPerTick = 100;

    // If the first record is that close to the start, the ring has overwritten nothing.
    static readonly TimeSpan WholeWithin = TimeSpan.FromSeconds(5);

    /// <summary>Inspects a trace.</summary>
    /// <param name="files">The trace, or its pieces in their order.</param>
    /// <param name="promisesPackets">Whether the engine records packets by itself.</param>
    /// <param name="noEvents">Remark for a trace without events of the TCP stack; null where none are expected.</param>
    /// <param name="remarks">Receives what is missing, one sentence each.</param>
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

    /// <summary>Adds a remark when a ring on Windows, which is limited by size only, reaches back less than asked for.</summary>
    /// <param name="path">The trace.</param>
    /// <param name="trace">What it holds.</param>
    /// <param name="asked">How far it should reach back; null when not requested.</param>
    /// <param name="remarks">Receives the remark.</param>
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
            remarks.Add(FormattableString.Invariant(
                $"the ring holds the last {held.TotalSeconds:F1} s, less than the {wanted.TotalSeconds} s asked for: raise --size"));
        }
    }

    /// <summary>Whether a trace is complete.</summary>
    /// <param name="trace">The trace; null when it does not open.</param>
    /// <param name="promisesPackets">Whether the engine records packets by itself.</param>
    /// <returns>False when it is damaged, or empty.</returns>
    public static bool IsWhole(TraceInspection? trace, bool promisesPackets) =>
        trace is { IsComplete: true } && (trace.Packets > 0 || (!promisesPackets && TcpEvents(trace) > 0));

    /// <summary>Events of the TCP stack in a trace.</summary>
    /// <param name="trace">The trace; null counts as empty.</param>
    public static long TcpEvents(TraceInspection? trace) =>
        trace?.Providers.Where(provider => provider.Provider == KnownProviders.TcpIp).Sum(provider => provider.Count) ?? 0;
}

/// <summary>
/// Whether a filter worked, judged by the packets that it let through, not by what a program prints about its filters, which is
/// translated. The first packets suffice: a filter that does not work shows at once.
/// </summary>
static class FilterCheck
{
    const int MaxPackets = 10_000;

    /// <summary>Checks the first packets of a trace.</summary>
    public static void Check(IReadOnlyList<string> files, MatchRule match, ICollection<string> remarks)
    {
        match = match.ForAnyProcess();
        if (match is MatchAll)
        {
            return;
        }

        using TraceReader reader = TraceFile.Open(files);
        var record = default(TraceRecord);
        int seen = 0;
        int others = 0;
        while (seen < MaxPackets && reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet)
            {
                seen++;
                others += IsAskedFor(record, match) ? 0 : 1;
            }
        }

        if (others > 0)
        {
            remarks.Add(FormattableString.Invariant($"{others} of the first {seen} packets were not asked for: the filter let them through. ")
                + "`tcpdiag convert` with --host or --port leaves them out");
        }
    }

    // An unknown direction may be either.
    static bool IsAskedFor(in TraceRecord record, MatchRule match)
    {
        var packet = default(ParsedPacket);
        if (!PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet))
        {
            return false;
        }

        var facts = new PacketFacts(packet.Protocol, new(packet.Source, packet.SourcePort), new(packet.Destination, packet.DestinationPort));
        return (record.Direction != PacketDirection.Inbound && match.Matches(facts))
            || (record.Direction != PacketDirection.Outbound && match.Matches(facts with { IsOut = false }));
    }
}

/// <summary>The remark for a match that names a process: no Windows engine can filter packets by process.</summary>
public static class ProcessRemark
{
    const string Text = "no engine filters by process: what others send and receive is recorded too; `tcpdiag convert IN OUT --process NAME` keeps "
        + "the connections of one, by the events";

    /// <summary>The remark.</summary>
    /// <param name="match">What to record.</param>
    /// <returns>A sentence; null where no process is named.</returns>
    public static string? For(MatchRule match) => match.NamesProcess ? Text : null;
}
