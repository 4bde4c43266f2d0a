using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Cli.Explain;
using TcpDiag.Redaction;
using TcpDiag.Redaction.Verification;
using TcpDiag.Report;
using TcpDiag.Report.Html;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>What stays of an answer, in a folder: the answer for the customer, recordings and report for whoever helps, a few lines for a ticket.</summary>
/// <param name="request">What was asked.</param>
/// <param name="folder">Where the files go.</param>
/// <param name="sentences">The language.</param>
/// <param name="invocation">The interruption.</param>
sealed class AnswerFiles(LiveRequest request, string folder, Sentences sentences, Invocation invocation)
{
    const string ReportName = "report.html";
    const int Columns = 80;

    static string Version => typeof(AnswerFiles).Assembly.GetName().Version?.ToString(3) ?? "?";

    /// <summary>Writes them.</summary>
    /// <param name="originals">What was recorded, here first; redacted and removed, or given its name.</param>
    /// <param name="answer">The answer.</param>
    /// <param name="width">Columns to name them in.</param>
    /// <returns>What there is, to be printed.</returns>
    /// <exception cref="IOException">A redacted recording still held a name, and was removed; or a file cannot be written.</exception>
    public IEnumerable<PlainLine> Write(IReadOnlyList<string> originals, CustomerAnswer answer, int width)
    {
        (string Original, string Given)[] recordings =
            [.. originals.Select(file => (file, Path.Combine(folder, Path.GetFileName(file)[TroubleshootRun.OriginalPrefix.Length..])))];
        if (request.WithNames)
        {
            Array.ForEach(recordings, file => File.Move(file.Original, file.Given));
        }
        else
        {
            Redact(request.Code?.Key ?? RedactionKey.Random(), recordings);
        }

        WriteReport(recordings[0].Given, Path.Combine(folder, ReportName));
        WriteAnswer(answer);
        return List([.. recordings.Skip(1).Select(file => Path.GetFileName(file.Given))], width);
    }

    void WriteAnswer(CustomerAnswer answer)
    {
        var text = new AnswerText(Columns);
        File.WriteAllLines(Path.Combine(folder, "ticket.txt"), text.Ticket(answer, Version));
        File.WriteAllLines(Path.Combine(folder, "answer.txt"), text.Of(answer).Select(line => line.Text));
        using var page = new StreamWriter(Path.Combine(folder, "answer.html"));
        string now = TimeProvider.System.GetUtcNow().ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
        new AnswerPage(page, sentences).Write(answer, ReportName, sentences.Of("page.made", Version, now));
    }

    // The same names in all of them. What leaks stays with the user: the original alone, under its own name.
    void Redact(RedactionKey key, IReadOnlyList<(string Original, string Redacted)> files)
    {
        var names = new Pseudonyms(key);
        TraceRedactor.Learn(names, [.. files.Select(file => file.Original)], invocation.InterruptionOfReading);
        foreach ((string original, string redacted) in files)
        {
            using (OutputFile output = OutputFile.Create(redacted, [original], isForced: false))
            {
                TraceRedactor.Redact(names, original, output.Stream, invocation.InterruptionOfReading);
                output.Complete();
            }

            if (!RedactionVerifier.Verify(names, redacted, invocation.InterruptionOfReading).HasPassed)
            {
                File.Delete(redacted);
                throw new IOException(sentences.Of("files.leak", original));
            }

            File.Delete(original);
        }
    }

    void WriteReport(string bundle, string page)
    {
        using TraceReader reader = TraceFile.Open([bundle]);
        BundleContents? contents = BundleContents.Of(bundle);
        AnalysisOptions options = AnalysisOptions.Default with { Snapshot = contents?.Snapshot, Timelines = new TimelineOptions() };
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, options, invocation.InterruptionOfReading);
        using OutputFile output = OutputFile.Create(page, [bundle], isForced: false);
        HtmlReport.Write(output.Stream, analysis, [Path.GetFileName(bundle)], reader, contents is null ? [] : [contents]);
        output.Complete();
    }

    IEnumerable<PlainLine> List(string[] far, int width)
    {
        (string Name, string Text)[] files =
        [
            ("answer.html, .txt", sentences.Of("files.answer")),
            (TroubleshootRun.BundleName, sentences.Of("files.bundle", sentences.Of(request.WithNames ? "files.names" : "files.redacted"))),
            .. far.Select(name => (name, sentences.Of("files.far"))),
            (ReportName, sentences.Of("files.report")),
            ("ticket.txt", sentences.Of("files.ticket")),
        ];
        int column = files.Max(file => file.Name.Length) + 2;
        return
        [
            new(SafeText.OneLine(sentences.Of("files", folder))),
            .. files.SelectMany(file => WordWrap.Lines(file.Text.Split(' '), width, "  " + file.Name.PadRight(column), new string(' ', column + 2)))
                .Select(line => new PlainLine(line)),
            .. request.Code is { } code
                ? PlainMarkdown.Wrap(sentences.Of("files.code", code.Text), width).Select(line => new PlainLine(line)).Prepend(new(string.Empty))
                : [],
        ];
    }
}
