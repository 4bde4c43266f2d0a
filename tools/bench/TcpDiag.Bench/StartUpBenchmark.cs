using System.Globalization;

namespace TcpDiag.Bench;

/// <summary>Start-up of <c>--help</c> beside an empty console program.</summary>
static class StartUpBenchmark
{
    const int Runs = 25;

    public static void Run(Workspace workspace, Report report)
    {
        (double ours, double empty) = MeasuredCommand.Medians(Runs, [workspace.TcpDiag, "--help"], [workspace.Empty]);
        report.Add("start-up of --help (median)", Milliseconds(ours), $"empty program {Milliseconds(empty)}", ours / empty, 2, isUpperBound: true);
    }

    static string Milliseconds(double seconds) => string.Create(CultureInfo.InvariantCulture, $"{seconds * 1000:F1} ms");
}
