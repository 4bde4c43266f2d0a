using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

/// <summary>
/// A location as one page without a script: the answer, each way over the points with what became of packets between them, as table and as drawings, what is
/// changed on the way, and how sure the clocks are. Its policy forbids the browser every connection.
/// </summary>
public static class LocationPage
{
    // Each has some 20 kB of drawings: with them a page stays below 5 MB.
    const int MaxDrawn = 100;

    static readonly double[] Shown = [0.5, 0.95, 0.99];

    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="location">The location.</param>
    public static void Write(Stream output, Location location)
    {
        using StreamWriter page = ScriptlessPage.Open(output);
        var words = new LocationWords(location);
        ScriptlessPage.Begin(page, "locate", "Where on the path", LocationStyle.Text);
        WritePoints(page, location, words);
        if (location.Paths.Count == 0)
        {
            page.WriteLine($"<p class=\"answer\">{Text(words.WhyNothing())}</p>");
        }

        for (int i = 0; i < location.Paths.Count; i++)
        {
            WritePath(page, location.Paths[i], isDrawn: i < MaxDrawn);
        }

        WriteList(page, location.Paths.Count == 0 ? [] : words.Alone());
        ScriptlessPage.End(page);
    }

    static void WritePoints(StreamWriter page, Location location, LocationWords words)
    {
        page.WriteLine("<dl>");
        foreach (LocationPoint point in location.Points)
        {
            page.WriteLine($"<dt><b>{words.LetterOf(point)}</b></dt><dd>{Text(LocationWords.Describe(point))}</dd>");
        }

        page.WriteLine("</dl>");
    }

    static void WritePath(StreamWriter page, LocatedPath path, bool isDrawn)
    {
        page.WriteLine($"<section><h2>{Text(LocationWords.Heading(path))}</h2>");
        foreach (string sentence in LocationWords.Answers(path))
        {
            page.WriteLine($"<p class=\"answer\">{Text(sentence)}</p>");
        }

        WriteWay(page, path);
        WriteDirection(page, path, path.FromClient, "From the client", isDrawn);
        WriteDirection(page, path, path.FromServer, "From the server", isDrawn);
        page.WriteLine("<h3>On the way, and how sure this is</h3>");
        WriteList(page, LocationWords.Changes(path).Concat(LocationWords.Clocks(path)).Concat(LocationWords.Advice(path)));
        page.WriteLine("</section>");
    }

    // client, A, what happens between A and B each way, B, …, server.
    static void WriteWay(StreamWriter page, LocatedPath path)
    {
        page.WriteLine("<ol class=\"way\"><li>client</li>");
        for (int i = 0; i < path.Points.Count; i++)
        {
            page.WriteLine($"<li class=\"point\">{LocationWords.Letter(path.Points[i])}</li>");
            if (i + 1 < path.Points.Count)
            {
                LocatedStep there = path.FromClient.Steps[i];
                LocatedStep back = path.FromServer.Steps[^(i + 1)];
                string kind = Troubles(there.Data) + Troubles(back.Data) > 0 ? "step trouble" : "step";
                page.WriteLine($"<li class=\"{kind}\"><span>→ {Text(Short(there))}</span><span>← {Text(Short(back))}</span></li>");
            }
        }

        page.WriteLine("<li>server</li></ol>");
    }

    static long Troubles(LocatedPackets data) => data.Lost + data.Moved + data.Copied;

    // The data, or what there is instead.
    static string Short(LocatedStep step)
    {
        LocatedPackets packets = step.Data.Arrived + step.Data.Lost > 0 ? step.Data : step.Acks;
        string[] counts =
        [
            .. new[] { (packets.Lost, "lost"), (packets.Moved, "moved"), (packets.Copied, "copied") }.Where(count => count.Item1 > 0)
                .Select(count => string.Create(CultureInfo.InvariantCulture, $"{count.Item1} {count.Item2}")),
        ];
        string delay = packets.Delays.Count == 0 ? string.Empty : LocationWords.MedianDelay(step, packets.Delays);
        return string.Join(", ", counts.Append(delay).Where(text => text.Length > 0).DefaultIfEmpty("nothing"));
    }

    static void WriteDirection(StreamWriter page, LocatedPath path, LocatedDirection direction, string name, bool isDrawn)
    {
        page.WriteLine($"<h3>{name}</h3><div class=\"wide\"><table><thead><tr><th scope=\"col\">between</th><th scope=\"col\">packets</th>"
            + "<th scope=\"col\">lost</th><th scope=\"col\">moved</th><th scope=\"col\">copied</th><th scope=\"col\">delay, median</th>"
            + "<th scope=\"col\">95 %</th><th scope=\"col\">99 %</th></tr></thead><tbody>");
        foreach (LocatedStep step in direction.Steps)
        {
            WriteRow(page, LocationWords.Letters(step.From, step.To) + " data", step, step.Data);
            WriteRow(page, LocationWords.Letters(step.From, step.To) + " acks", step, step.Acks);
        }

        page.WriteLine("</tbody></table></div>");
        WriteList(page, LocationWords.Doubts(path, direction));
        if (isDrawn && direction.Steps.Any(step => step.Data.Delays.Count > 0))
        {
            page.WriteLine($"<div class=\"plots\">{DelayPlot.Of(direction, name)}{QueuePlot.Of(direction, name)}{LossPlot.Of(direction, name)}</div>");
        }
    }

    static void WriteRow(StreamWriter page, string label, LocatedStep step, LocatedPackets packets)
    {
        long all = packets.Arrived + packets.Lost;
        if (all == 0)
        {
            return;
        }

        string share = packets.Lost == 0 ? "0" : string.Create(CultureInfo.InvariantCulture, $"{packets.Lost} ({100.0 * packets.Lost / all:0.00} %)");
        string[] delays = packets.Delays.Count == 0 ? ["-", "-", "-"] : [.. Shown.Select(share => LocationWords.DelayAt(step, packets.Delays, share))];
        string[] cells = [Number(all), share, Number(packets.Moved), Number(packets.Copied), .. delays];
        page.WriteLine($"<tr><th scope=\"row\">{label}</th>{string.Concat(cells.Select(cell => $"<td>{Text(cell)}</td>"))}</tr>");
    }

    static void WriteList(StreamWriter page, IEnumerable<string> sentences)
    {
        string items = string.Concat(sentences.Select(sentence => $"<li>{Text(sentence)}</li>"));
        if (items.Length > 0)
        {
            page.WriteLine($"<ul>{items}</ul>");
        }
    }

    static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);

    static string Text(string text) => HtmlText.Encode(SafeText.OneLine(text));
}
