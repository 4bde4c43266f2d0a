using System;
using System.Linq;
using Spectre.Console;
using TcpDiag.Traces;

namespace TcpDiag.Report;

/// <summary>Tells what of a trace could not be read.</summary>
public static class ProblemReport
{
    const int MaximumLines = 10;

    /// <summary>Writes one line for each problem, the first ones when there are many.</summary>
    /// <param name="console">Where to: standard error.</param>
    /// <param name="reader">The trace, read to its end.</param>
    public static void Write(IAnsiConsole console, TraceReader reader)
    {
        foreach (TraceProblem problem in reader.Problems.Take(MaximumLines))
        {
            string place = FormattableString.Invariant($"{SafeText.OneLine(reader.Path)}@0x{problem.OffsetBytes:x}");
            console.Write(new Text($"{place}: {SafeText.OneLine(problem.Message)}\n"));
        }

        if (reader.Problems.Count > MaximumLines)
        {
            console.Write(new Text(FormattableString.Invariant($"… and {reader.Problems.Count - MaximumLines} more problems\n")));
        }
    }
}
