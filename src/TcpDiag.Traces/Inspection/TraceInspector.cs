using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Inspection;

/// <summary>Finds out what a trace holds by counting, without analysing it.</summary>
public static class TraceInspector
{
    /// <summary>Inspects a trace of any format.</summary>
    /// <param name="path">A file, or <c>-</c> for standard input.</param>
    /// <returns>What it holds, as far as it can be read.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is no trace of a format that is read.</exception>
    public static TraceInspection Inspect(string path)
    {
        TraceInspection trace = InspectTrace(path);
        return BundleContents.Of(path) is { } bundle
            ? trace with { Bundle = bundle, Problems = [.. trace.Problems, .. bundle.Problems.Select(problem => new TraceProblem(0, problem))] }
            : trace;
    }

    static TraceInspection InspectTrace(string path)
    {
        IReadOnlyList<TraceInput> inputs = TraceFile.OpenInputs(path, out TraceFormat format);
        if (format == TraceFormat.Etl)
        {
            return InspectPieces(path, inputs);
        }

        using TraceReader reader = TraceFile.Open(inputs[0], format, TraceOpenOptions.Default);
        return PacketFileInspector.Inspect(reader);
    }

    static TraceInspection InspectPieces(string path, IReadOnlyList<TraceInput> inputs)
    {
        try
        {
            return inputs.Count == 1 ? EtlInspector.Inspect(inputs[0]) : TraceInspection.Join([.. inputs.Select(Inspect)]) with { Path = path };
        }
        finally
        {
            foreach (TraceInput input in inputs)
            {
                input.Dispose();
            }
        }

        static TraceInspection Inspect(TraceInput piece)
        {
            TraceInspection trace = EtlInspector.Inspect(piece);
            return trace with { Problems = [.. trace.Problems.Select(problem => problem with { Message = $"{piece.Path}: {problem.Message}" })] };
        }
    }
}

/// <summary>Inspects pcapng and pcap by reading them once.</summary>
static class PacketFileInspector
{
    /// <summary>Counts what a trace holds.</summary>
    public static TraceInspection Inspect(TraceReader reader)
    {
        long packets = 0;
        TraceTime? start = null;
        TraceTime? end = null;
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Block)
            {
                continue;
            }

            packets += record.Kind == TraceRecordKind.Packet ? 1 : 0;
            start = start is { } first && first < record.Time ? first : record.Time;
            end = end is { } last && last > record.Time ? last : record.Time;
        }

        return new TraceInspection
        {
            Path = reader.Path,
            Format = reader.Format,
            Records = reader.RecordsRead,
            Packets = packets,
            Start = start,
            End = end,
            System = reader.System,
            Problems = [.. reader.Problems],
            Interfaces =
            [
                .. reader.Interfaces.Select(
                    found => new InterfaceSummary(found.Name, found.Description, found.LinkType, found.Packets, found.Dropped)),
            ],
        };
    }
}
