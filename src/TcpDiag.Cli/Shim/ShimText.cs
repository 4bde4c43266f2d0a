using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Report;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Doctor;

namespace TcpDiag.Cli.Shim;

/// <summary>A run in words.</summary>
static class ShimText
{
    /// <summary>What a path without any option does.</summary>
    public const string NothingEmulated = "nothing: packets pass unchanged";

    const double NanosecondsPerSecond = 1e9;
    const double NanosecondsPerMicrosecond = 1e3;

    // A terminal's width.

    /// <summary>How a run stands, in one line.</summary>
    public static string Line(ShimFigures figures) => string.Create(
        CultureInfo.InvariantCulture,
        $"{figures.ElapsedNs / NanosecondsPerSecond:F1} s: {figures.Offered:N0} packets, {figures.Dropped:N0} dropped, {figures.Reordered:N0} reordered, "
        + $"delay error p99 {figures.DelayErrorP99Ns / NanosecondsPerMicrosecond:F0} us");

    /// <summary>What came of a run.</summary>
    public static void Write(TextWriter output, ImpairmentProfile profile, ShimReport report)
    {
        ShimFigures figures = report.Figures;
        string seed = string.Create(CultureInfo.InvariantCulture, $"seed {profile.Settings.Seed}");
        WriteList(output, "Emulated    ", profile.Options.Count > 0 ? [.. profile.Options, seed] : [NothingEmulated]);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Time        {figures.ElapsedNs / NanosecondsPerSecond:F1} s"));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Packets     {figures.Offered:N0} impaired, of these {figures.Dropped:N0} dropped and {figures.Reordered:N0} reordered; "
            + $"{figures.Passed:N0} more passed untouched"));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Delay error p50 {figures.DelayErrorP50Ns / NanosecondsPerMicrosecond:F1} us, p99 {figures.DelayErrorP99Ns / NanosecondsPerMicrosecond:F1} us, "
            + $"max {figures.DelayErrorMaxNs / NanosecondsPerMicrosecond:F1} us"));
        output.WriteLine($"Priority    {(report.IsRealTime ? "real time" : "ordinary: real-time priority was refused")}");
        if (figures.Lost + figures.Bypassed > 0)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"Missed      {figures.Lost:N0} lost by the system, {figures.Bypassed:N0} passed the full queue"));
        }

        foreach (string note in report.Notes)
        {
            output.WriteLine(note);
        }

        output.WriteLine(report.Fault ?? "The run is valid: packets left as punctually as asked.");
        if (figures.RecordsLost > 0)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"The decision log lacks {figures.RecordsLost:N0} decisions: the disk was too slow."));
        }
    }

    /// <summary>Writes a list, broken between its items, behind its title.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="title">The title, padded.</param>
    /// <param name="items">The items; names in them may come from a file.</param>
    public static void WriteList(TextWriter output, string title, IReadOnlyList<string> items)
    {
        int columns = Terminal.ColumnsOf(output);
        string line = title;
        for (int i = 0; i < items.Count; i++)
        {
            string item = SafeText.OneLine(items[i]) + (i < items.Count - 1 ? "," : string.Empty);
            if (line.Length > title.Length && line.Length + 1 + item.Length > columns)
            {
                output.WriteLine(line);
                line = new string(' ', title.Length);
            }

            line += line.Length > title.Length ? $" {item}" : item;
        }

        output.WriteLine(line);
    }
}

/// <summary>What the doctor found, in words.</summary>
static class DoctorText
{
    // A terminal's width, less the column of the marks.
    const int Margin = 10; // of the text: its mark, and some air at the right

    /// <summary>Writes every check.</summary>
    public static void Write(TextWriter output, DoctorDocument document)
    {
        foreach (DoctorCheck check in document.Checks)
        {
            Write(output, Mark(check.Holds), check.Found);
            if (check.Cure is not null)
            {
                Write(output, string.Empty, check.Cure);
            }
        }

        output.WriteLine(document.CanDivert switch
        {
            true => "Packets can be diverted here.",
            false => "Packets cannot be diverted here as it is.",
            _ => "Nothing that was looked at forbids it; not all of it could be checked.",
        });
    }

    /// <summary>Writes what an error means.</summary>
    public static int Explain(TextWriter output, DivertErrorText error)
    {
        Write(output, error.Code.ToString(CultureInfo.InvariantCulture), error.Meaning);
        Write(output, string.Empty, error.Cure);
        return ExitCode.Done;
    }

    static string Mark(bool? holds) => holds switch
    {
        true => "ok",
        false => "wrong",
        _ => "note",
    };

    // The text, broken between words, beside its mark.
    static void Write(TextWriter output, string mark, string text)
    {
        int columns = Terminal.ColumnsOf(output) - Margin;
        int column = 0;
        foreach (string word in SafeText.OneLine(text).Split(' '))
        {
            bool isFirst = column == 0;
            if (isFirst || column + 1 + word.Length > columns)
            {
                output.Write(isFirst ? $"{mark,-7} " : "\n        ");
                column = 0;
            }
            else
            {
                output.Write(' ');
                column++;
            }

            output.Write(word);
            column += word.Length;
        }

        output.WriteLine();
    }
}
