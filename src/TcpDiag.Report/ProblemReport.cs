using System;
using System.Collections.Generic;
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
    public static void Write(IAnsiConsole console, TraceReader reader) => Write(console, reader.Path, reader.Problems);

    /// <summary>Writes one line for each problem, the first ones when there are many.</summary>
    /// <param name="console">Where to: standard error.</param>
    /// <param name="path">The trace as the user named it.</param>
    /// <param name="problems">What could not be read.</param>
    /// <returns>True when there is none.</returns>
    public static bool Write(IAnsiConsole console, string path, IReadOnlyList<TraceProblem> problems)
    {
        foreach (TraceProblem problem in problems.Take(MaximumLines))
        {
            string place = FormattableString.Invariant($"{SafeText.OneLine(path)}@0x{problem.OffsetBytes:x}");
            console.Write(new Text($"{place}: {SafeText.OneLine(problem.Message)}\n"));
        }

        if (problems.Count > MaximumLines)
        {
            console.Write(new Text(FormattableString.Invariant($"… and {problems.Count - MaximumLines} more problems\n")));
        }

        return problems.Count == 0;
    }
}
