using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Testing;

namespace TcpDiag.Bench;

/// <summary>Runs whole commands and measures them from outside, so that every peer is measured in the same way.</summary>
static class MeasuredCommand
{
    // The runtime's Process class does not tell the peak memory of a program that has ended; wait4 does.
    const string Observer = """
        import resource, subprocess, sys, time
        start = time.perf_counter()
        code = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seconds = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if code.returncode: sys.exit(code.stderr.decode() or code.returncode)
        print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
        """;

    static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>Runs a command several times.</summary>
    /// <param name="runs">How often.</param>
    /// <param name="command">Program and arguments.</param>
    /// <returns>The fastest run.</returns>
    /// <exception cref="InvalidOperationException">It failed.</exception>
    public static Measurement Best(int runs, params string[] command) =>
        Enumerable.Range(0, runs).Select(_ => Once(command)).MinBy(run => run.Seconds)!;

    /// <summary>Runs two commands in turns, so that a busy moment of the machine hits both.</summary>
    /// <param name="runs">How often each.</param>
    /// <param name="first">Program and arguments.</param>
    /// <param name="second">Program and arguments.</param>
    /// <returns>The median times in seconds.</returns>
    public static (double First, double Second) Medians(int runs, string[] first, string[] second)
    {
        (List<double> own, List<double> other) = InTurns(runs, first, second);
        return (own.Order().ElementAt(runs / 2), other.Order().ElementAt(runs / 2));
    }

    /// <summary>Runs two commands in turns, so that a busy moment of the machine hits both.</summary>
    /// <param name="runs">How often each.</param>
    /// <param name="first">Program and arguments.</param>
    /// <param name="second">Program and arguments.</param>
    /// <returns>The shortest times in seconds.</returns>
    public static (double First, double Second) Fastest(int runs, string[] first, string[] second)
    {
        (List<double> own, List<double> other) = InTurns(runs, first, second);
        return (own.Min(), other.Min());
    }

    static (List<double> First, List<double> Second) InTurns(int runs, string[] first, string[] second)
    {
        var times = (First: new List<double>(), Second: new List<double>());
        for (int i = 0; i < runs; i++)
        {
            times.First.Add(Once(first).Seconds);
            times.Second.Add(Once(second).Seconds);
        }

        return times;
    }

    static Measurement Once(string[] command)
    {
        ProgramResult result = ExternalProgram.TryRun("python3", ["-c", Observer, .. command], Limit);
        if (result.ExitCode != 0)
        {
            throw new InvalidOperationException($"{string.Join(' ', command)}: {result.Error}");
        }

        double[] values = [.. result.Lines[^1].Split(' ').Select(text => double.Parse(text, CultureInfo.InvariantCulture))];
        return new Measurement(values[0], values[1], values[2]);
    }
}
