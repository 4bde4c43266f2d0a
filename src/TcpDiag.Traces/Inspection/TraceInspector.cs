using System.Linq;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

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
        return BundleAccount.Of(path) is { } bundle
            ? trace with { Bundle = bundle, Problems = [.. trace.Problems, .. bundle.Problems.Select(problem => new TraceProblem(0, problem))] }
            : trace;
    }

    static TraceInspection InspectTrace(string path)
    {
        TraceInput input = TraceFile.OpenInput(path, out TraceFormat format);
        if (format == TraceFormat.Etl)
        {
            return EtlInspector.Inspect(input);
        }

        using TraceReader reader = TraceFile.Open(input, format, TraceOpenOptions.Default);
        return PacketFileInspector.Inspect(reader);
    }
}
