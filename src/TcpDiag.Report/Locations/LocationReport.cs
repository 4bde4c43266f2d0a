using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Locate.Results;

namespace TcpDiag.Report.Locations;

/// <summary>
/// The text form of a location: the answer, then for each way over the points a table of its steps in both directions, what is changed on the way, what
/// cannot be told and why, and how sure the clocks are. 80 columns.
/// </summary>
public static class LocationReport
{
    const int Columns = 80;
    const int StepWidth = 17;
    const string Heading = "   packets      lost   moved  copied     delay median      95 %";

    /// <summary>Writes the report.</summary>
    /// <param name="console">Where to.</param>
    /// <param name="location">The location.</param>
    public static void Write(IAnsiConsole console, Location location)
    {
        var words = new LocationWords(location);
        foreach (LocationPoint point in location.Points)
        {
            Wrap(console, words.LetterOf(point) + "  ", LocationWords.Describe(point));
        }

        Line(console, string.Empty);
        if (location.Paths.Count == 0)
        {
            Wrap(console, string.Empty, words.WhyNothing());
            return;
        }

        foreach (LocatedPath path in location.Paths)
        {
            WritePath(console, path);
        }

        string[] alone = [.. words.Alone()];
        Array.ForEach(alone, sentence => Wrap(console, string.Empty, sentence));
    }

    static void WritePath(IAnsiConsole console, LocatedPath path)
    {
        Wrap(console, string.Empty, LocationWords.Heading(path));
        foreach (string sentence in LocationWords.Answers(path))
        {
            Wrap(console, "  ", sentence);
        }

        WriteDirection(console, path, path.FromClient, "from the client");
        WriteDirection(console, path, path.FromServer, "from the server");
        Line(console, string.Empty);
        foreach (string sentence in LocationWords.Changes(path).Concat(LocationWords.Clocks(path)).Concat(LocationWords.Advice(path)))
        {
            Wrap(console, "  ", sentence);
        }

        Line(console, string.Empty);
    }

    static void WriteDirection(IAnsiConsole console, LocatedPath path, LocatedDirection direction, string name)
    {
        Line(console, string.Empty);
        Line(console, name.PadRight(StepWidth) + Heading);
        foreach (LocatedStep step in direction.Steps)
        {
            WriteRow(console, LocationWords.Letters(step.From, step.To) + " data", step, step.Data);
            WriteRow(console, LocationWords.Letters(step.From, step.To) + " acks", step, step.Acks);
        }

        foreach (string sentence in LocationWords.Doubts(path, direction))
        {
            Wrap(console, "    ", sentence);
        }

        foreach (string line in WaitGraph.Lines(direction))
        {
            Line(console, line);
        }
    }

    static void WriteRow(IAnsiConsole console, string label, LocatedStep step, LocatedPackets packets)
    {
        long all = packets.Arrived + packets.Lost;
        if (all == 0)
        {
            return;
        }

        // Without packets of both directions only what is above the least delay is known.
        (string median, string most) = packets.Delays.Count == 0 ? ("-", "-")
            : (LocationWords.DelayAt(step, packets.Delays, 0.5), LocationWords.DelayAt(step, packets.Delays, 0.95));
        string row = string.Create(
            CultureInfo.InvariantCulture, $"  {label,-(StepWidth - 2)}{all,10}{packets.Lost,10}{packets.Moved,8}{packets.Copied,8}{median,17}{most,10}");
        Line(console, row);
    }

    static void Wrap(IAnsiConsole console, string indent, string text)
    {
        string lead = indent;
        foreach (string line in TerminalText.Wrap(SafeText.OneLine(text), Columns - indent.Length))
        {
            Line(console, lead + line);
            lead = new string(' ', indent.Length);
        }
    }

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));
}

/// <summary>How long data waited on each step, drawn with characters: what a screen of 80 columns holds of <see cref="QueuePlot"/>.</summary>
static class WaitGraph
{
    const int Columns = 48;
    const int LabelWidth = 15;
    const double Felt = 100_000; // ns: a drawing of less says nothing

    /// <summary>The lines; none where nothing waited.</summary>
    public static IEnumerable<string> Lines(LocatedDirection direction)
    {
        double most = direction.Steps.Max(step => QueuePlot.Above(step, 0.99));
        if (most < Felt)
        {
            yield break;
        }

        yield return "  waited above the least delay: - 5 to 99 %, = 25 to 75 %, | the median";
        foreach (LocatedStep step in direction.Steps.Where(step => step.Data.Delays.Count > 0))
        {
            string label = LocationWords.Letters(step.From, step.To).PadRight(LabelWidth - 2);
            yield return $"  {label}{Bar(step, most)}{LocationWords.Delay((long)QueuePlot.Above(step, 0.99)),12}";
        }
    }

    static string Bar(LocatedStep step, double most)
    {
        char[] bar = new char[Columns];
        Array.Fill(bar, ' ');
        Fill(bar, Place(0.05), Place(0.99), '-');
        Fill(bar, Place(0.25), Place(0.75), '=');
        bar[Place(0.5)] = '|';
        return new string(bar);

        int Place(double share) => (int)(Math.Min(1, QueuePlot.Above(step, share) / most) * (Columns - 1));
    }

    static void Fill(char[] bar, int from, int to, char with) => bar.AsSpan(from, to - from + 1).Fill(with);
}
