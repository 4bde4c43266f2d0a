using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Spectre.Console;
using TcpDiag.Analysis;
using TcpDiag.Report;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Traces;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>What any analysis becomes in text, JSON and a page: whole, and without a character that a terminal would obey.</summary>
static class RenderedReports
{
    static readonly string[] Files = ["script"];

    /// <summary>Renders an analysis.</summary>
    /// <param name="analysis">The analysis.</param>
    /// <param name="reader">Its trace, read to the end.</param>
    /// <exception cref="InvalidDataException">Something is not whole; the message says what.</exception>
    /// <exception cref="JsonException">The document is none.</exception>
    public static void Check(TraceAnalysis analysis, TraceReader reader)
    {
        string text = Text(analysis, reader);
        if (text.Any(letter => char.IsControl(letter) && letter is not ('\r' or '\n')))
        {
            throw new InvalidDataException("control characters in the text");
        }

        var json = new StringWriter();
        AnalysisJson.Write(json, analysis, Files, isComplete: true);
        using var document = JsonDocument.Parse(json.ToString());
        using var page = new MemoryStream();
        HtmlReport.Write(page, analysis, Files, reader);
        if (!Encoding.UTF8.GetString(page.ToArray()).TrimEnd().EndsWith("</html>", StringComparison.Ordinal))
        {
            throw new InvalidDataException("the page is not whole");
        }
    }

    static string Text(TraceAnalysis analysis, TraceReader reader)
    {
        var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) });
        AnalysisReport.Write(console, analysis, reader, new AnalysisExtent(int.MaxValue, int.MaxValue, int.MaxValue));
        return text.ToString();
    }
}
