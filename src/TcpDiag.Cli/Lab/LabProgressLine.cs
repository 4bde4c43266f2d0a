using System;
using System.Globalization;
using System.IO;
using System.Threading;
using TcpDiag.Lab;
using TcpDiag.Lab.Results;

namespace TcpDiag.Cli.Lab;

/// <summary>How an experiment goes, on standard error: a bar where somebody looks, else a line for each run that begins.</summary>
/// <param name="error">Standard error.</param>
sealed class LabProgressLine(TextWriter error)
{
    const int BarColumns = 16;
    const double NanosecondsPerSecond = 1e9;

    readonly LiveLine _line = new(error);

    /// <summary>Shows how it stands.</summary>
    /// <param name="progress">Where the experiment is.</param>
    internal void Show(LabProgress progress)
    {
        if (_line.IsTerminal)
        {
            _line.Show($"{Bar(progress)} {Text(progress)}");
        }
        else if (progress.Path is null)
        {
            error.WriteLine(Text(progress));
        }
    }

    /// <summary>Runs an experiment and leaves the line when it has ended, however it does.</summary>
    /// <param name="error">Standard error.</param>
    /// <param name="settings">The experiment.</param>
    /// <param name="interruption">Ends it.</param>
    /// <returns>The experiment with its results.</returns>
    public static LabRunDocument Run(TextWriter error, LabRunSettings settings, CancellationToken interruption)
    {
        LabProgressLine shown = new(error);
        try
        {
            return LabRun.Run(settings, shown.Show, interruption);
        }
        finally
        {
            shown._line.End();
        }
    }

    /// <summary>Done and total, the run, how it stands, and the time left.</summary>
    /// <param name="progress">Where the experiment is.</param>
    internal static string Text(LabProgress progress)
    {
        string run = progress.Current.Folder.Replace(Path.DirectorySeparatorChar, '/');
        string path = progress.Path is { } figures
            ? string.Create(CultureInfo.InvariantCulture, $", {figures.ElapsedNs / NanosecondsPerSecond:F0} s, {figures.Forwarded:N0} packets")
            : string.Empty;
        string left = progress.Left is { } time ? $", {Duration(time)} left" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"{progress.Done}/{progress.Count} done{left}: {run}{path}");
    }

    /// <summary>The part that is done, as a bar.</summary>
    /// <param name="progress">Where the experiment is.</param>
    internal static string Bar(LabProgress progress)
    {
        int full = BarColumns * progress.Done / progress.Count;
        return $"[{new string('#', full)}{new string('.', BarColumns - full)}]";
    }

    static string Duration(TimeSpan time) => string.Create(CultureInfo.InvariantCulture, $"{(time.TotalMinutes < 2 ? $"{time.TotalSeconds:F0} s" : time.TotalHours < 2 ? $"{time.TotalMinutes:F0} min" : $"{time.TotalHours:F0} h")}");
}
