using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Results;

namespace TcpDiag.Report.Locations;

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
