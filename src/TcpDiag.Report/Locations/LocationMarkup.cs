using System.IO;
using System.Linq;
using System.Text;
using Spectre.Console;
using TcpDiag.Locate.Results;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

/// <summary>A location as a section of the page of an analysis: the answers as sentences, and behind them the report as it is printed.</summary>
static class LocationMarkup
{
    /// <summary>Writes the section.</summary>
    /// <param name="location">The location.</param>
    /// <returns>Markup.</returns>
    public static string Of(Location location)
    {
        StringBuilder markup = new();
        markup.Append("<section id=\"location\" aria-labelledby=\"location-heading\">\n<h2 id=\"location-heading\">Where on the path, from all "
            + "captures</h2>\n");
        var words = new LocationWords(location);
        string points = string.Join(" · ", location.Points.Select(point => $"{words.LetterOf(point)} {point.Name}"));
        markup.Append("<p class=\"points\">").Append(HtmlText.Encode(points)).Append("</p>\n");
        foreach (LocatedPath path in location.Paths)
        {
            foreach (string sentence in LocationWords.Answers(path))
            {
                markup.Append("<p>").Append(HtmlText.Encode(sentence)).Append("</p>\n");
            }
        }

        markup.Append("<details><summary>Packets, delays and clocks from point to point</summary>\n<pre tabindex=\"0\">");
        foreach (string line in Print(location).TrimEnd().Split('\n'))
        {
            markup.Append(HtmlText.Encode(line.TrimEnd())).Append('\n');
        }

        return markup.Append("</pre></details>\n</section>\n").ToString();
    }

    static string Print(Location location)
    {
        using StringWriter text = new();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
            Out = new AnsiConsoleOutput(text),
        });
        LocationReport.Write(console, location);
        return text.ToString();
    }
}
