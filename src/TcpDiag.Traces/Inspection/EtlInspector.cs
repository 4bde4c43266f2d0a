using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Inspection;

/// <summary>
/// Inspects an .etl file: its events by kind, its capture points, and the names that providers give themselves.
/// </summary>
static class EtlInspector
{
    /// <summary>Counts what a file holds.</summary>
    /// <param name="input">A positioned input; closed when this returns.</param>
    /// <exception cref="TraceFormatException">The file does not begin with a log file header.</exception>
    public static TraceInspection Inspect(TraceInput input)
    {
        using EtlFile file = EtlFile.Open(input);
        var sweep = new EtlInspectionSweep(file);
        EtlEventCounts counts = sweep.Counts;
        EtlCaptureScan captures = sweep.Captures;
        SystemFacts facts = EtlSystemFacts.From(file);
        TraceTime? end = counts.Records == 0 ? null : file.Clock.ToTime(counts.LastTicks);
        return new TraceInspection
        {
            Path = file.Path,
            Format = TraceFormat.Etl,
            Records = counts.Records,
            Packets = captures.Packets,
            Start = facts.Started,
            End = end is { } last && facts.Started is { } start && last < start ? start : end,
            System = facts,
            Problems = [.. file.Problems, .. OwnProblems(captures)],
            Providers = Summarise(counts.Events, sweep.Names, facts.WindowsBuild),
            Interfaces = Summarise(captures.ToMap()),
        };
    }

    static IEnumerable<TraceProblem> OwnProblems(EtlCaptureScan captures)
    {
        if (captures.DamagedEvents > 0)
        {
            yield return new TraceProblem(0, string.Create(CultureInfo.InvariantCulture, $"{captures.DamagedEvents} packet events hold less than they say"));
        }
    }

    static List<ProviderSummary> Summarise(IReadOnlyList<EtlEventCount> counts, ProviderNameScan names, int? build) =>
        [.. counts
            .GroupBy(count => count.Provider)
            .Select(group => new ProviderSummary(
                group.Key,
                KnownProviders.NameOf(group.Key) ?? names.NameOf(group.Key),
                group.Sum(count => count.Count),
                [.. group.Select(count => Summarise(count, build))]))
            .OrderByDescending(provider => provider.Count)
            .ThenBy(provider => provider.Provider)];

    static EventSummary Summarise(EtlEventCount count, int? build)
    {
        bool isClassic = count.HeaderType is not (EtlHeaderType.Event or EtlHeaderType.Message);
        return isClassic
            ? new EventSummary(null, count.Version, count.Id, null, count.Count)
            : new EventSummary(count.Id, count.Version, null, NameOf(count, build), count.Count);
    }

    // The name in the build that logged; in any build where that one is not listed.
    static string? NameOf(EtlEventCount count, int? build)
    {
        SchemaCatalog catalog = SchemaCatalog.Bundled;
        if (catalog.Provider(count.Provider) is not { } provider)
        {
            return null;
        }

        int index = build is { } number ? catalog.IndexOfBuild(number) : -1;
        foreach (EventVariant variant in provider.WithId(count.Id))
        {
            if (variant.Version == count.Version && (index < 0 || variant.IsIn(index)))
            {
                return variant.Name;
            }
        }

        return null;
    }

    static List<InterfaceSummary> Summarise(EtlCaptureMap map) =>
        [.. map.Interfaces.Select(found => new InterfaceSummary(found.Name, found.Description, found.LinkType, map.PacketsAt(found.Index), found.Dropped))];
}

/// <summary>
/// Everything an inspection needs from the records of an .etl file, gathered in one sweep over its buffers by several
/// threads. Counts add up; descriptions do not, because the last word or the first counts: the few buffers that hold some
/// are read once more, in file order.
/// </summary>
sealed class EtlInspectionSweep
{
    /// <summary>Sweeps over a file.</summary>
    internal EtlInspectionSweep(EtlFile file)
    {
        Visitor[] visitors = EtlBufferSweep.Run(file, threads: 0, static () => new Visitor());
        Counts = EtlEventCounter.Sum([.. visitors.Select(visitor => visitor.Table)]);
        ReadDescriptions(file, visitors.SelectMany(visitor => visitor.Descriptions).Order());
        Captures.TakeCounts([.. visitors.Select(visitor => visitor.Captures)]);
    }

    /// <summary>Records by provider, event and version.</summary>
    internal EtlEventCounts Counts { get; }

    /// <summary>Capture points and their packets.</summary>
    internal EtlCaptureScan Captures { get; } = new();

    /// <summary>Names that providers give themselves.</summary>
    internal ProviderNameScan Names { get; } = new();

    void ReadDescriptions(EtlFile file, IEnumerable<int> buffers)
    {
        using var buffer = new EtlBuffer(file.Input, file.ProblemLog);
        var record = default(EtlRecord);
        foreach (int index in buffers)
        {
            buffer.Load(file.Entries[index]);
            while (buffer.TryRead(ref record))
            {
                Captures.Add(record);
                Names.Add(record);
            }
        }
    }

    sealed class Visitor : IEtlBufferVisitor
    {
        readonly ProviderNameScan _names = new();

        internal EtlEventTable Table { get; } = new();

        internal EtlCaptureScan Captures { get; } = new();

        internal List<int> Descriptions { get; } = [];

        public void Visit(EtlBuffer buffer, int index)
        {
            Table.Count(buffer);
            buffer.Rewind();
            var record = default(EtlRecord);
            bool describes = false;
            while (buffer.TryRead(ref record))
            {
                describes |= Captures.Add(record) | _names.Add(record);
            }

            if (describes)
            {
                Descriptions.Add(index);
            }
        }
    }
}
