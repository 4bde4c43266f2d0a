using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Report.Json;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Traces;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>
/// Scores whatever a trace holds: rates are rates, worst places lie in the trace, and one in eight becomes a document and a page that are whole.
/// </summary>
static class ScoreTarget
{
    const int RenderedPart = 8;
    const int MaxWorst = 3;

    /// <summary>Scores a script of segments.</summary>
    /// <returns>Its packets.</returns>
    public static long Read(byte[] script)
    {
        using ScriptedTrace trace = new(script);
        return Score(trace, isRendered: script.Length % RenderedPart == 0);
    }

    /// <summary>Scores a trace.</summary>
    /// <returns>Its packets.</returns>
    public static long Score(TraceReader trace, bool isRendered)
    {
        TraceScores scores = TraceScorer.Score(trace, new AnalysisOptions { Timelines = isRendered ? new TimelineOptions() : null }, isPredicted: true);
        foreach (Scorecard card in scores.Cards)
        {
            bool isWhole = card.NotScored is not null || (card.Fingerprint is not null && card.Components.All(component => IsWhole(component, scores)));
            if (!isWhole)
            {
                throw new InvalidDataException($"the card of {card.Sender} is not whole");
            }
        }

        if (isRendered)
        {
            Render(scores, trace);
        }

        return scores.Analysis.Packets;
    }

    static bool IsWhole(ScoreComponent component, TraceScores scores) =>
        (component.Rate is { } rate
            ? component.NotExercised is null && rate.Hits >= 0 && rate.Hits <= rate.Trials && rate.Low <= rate.Rate && rate.Rate <= rate.High
            : component.NotExercised is { Length: > 0 })
        && component.Worst.Count <= MaxWorst
        && component.Worst.All(place => place.Packet > 0 && place.Packet <= scores.Analysis.Packets);

    static void Render(TraceScores scores, TraceReader trace)
    {
        StringWriter json = new();
        ScoreJson.Write(json, scores, ["script"], isComplete: true, BuildExpectation.Find(22_000));
        using var document = JsonDocument.Parse(json.ToString());
        using MemoryStream page = new();
        HtmlReport.Write(page, scores, BuildExpectation.Find(22_000), ["script"], trace);
        if (!Encoding.UTF8.GetString(page.ToArray()).TrimEnd().EndsWith("</html>", System.StringComparison.Ordinal))
        {
            throw new InvalidDataException("the page is not whole");
        }
    }
}
