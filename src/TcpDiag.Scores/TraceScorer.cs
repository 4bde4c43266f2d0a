using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Congestion;
using TcpDiag.Scores.Counterfactuals;
using TcpDiag.Scores.Losses;
using TcpDiag.Scores.Replays;
using TcpDiag.Traces;

namespace TcpDiag.Scores;

/// <summary>Scores the senders of a trace: analyses it once, and replays a reference sender over each end that sends data.</summary>
public static class TraceScorer
{
    const int MaxPredicted = 4; // each takes several simulations

    /// <summary>Scores a trace.</summary>
    /// <param name="reader">The trace, at its beginning.</param>
    /// <param name="options">Options of the analysis.</param>
    /// <param name="isPredicted">Whether it is told of the senders that sent most what a reference would have reached, which takes simulations.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The cards of the senders, those that sent most first.</returns>
    /// <exception cref="TraceFormatException">The trace cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public static TraceScores Score(
        TraceReader reader, AnalysisOptions? options = null, bool isPredicted = false, CancellationToken cancellation = default)
    {
        ConnectionReplays replays = new(isPredicted ? MeasuresOfPaths : Measures);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, (options ?? AnalysisOptions.Default) with { Follower = replays }, cancellation);

        // What is known of a connection in the end is known of it by its first packet.
        Dictionary<long, Connection> connections = analysis.Connections.Where(one => one.FirstPacket > 0).ToDictionary(one => one.FirstPacket);
        IEnumerable<Scorecard> cards = replays.Cards
            .Where(card => connections.ContainsKey(card.Connection.FirstPacket))
            .Select(card => WithResult(card, connections[card.Connection.FirstPacket]));
        IEnumerable<Scorecard> ordered = cards.OrderBy(card => card.NotScored is null ? 0 : 1).ThenByDescending(card => card.Facts?.Segments ?? 0);
        return new TraceScores(analysis, [.. ordered.Select((card, index) => isPredicted && index < MaxPredicted ? WithReference(card) : card)]);
    }

    static Scorecard WithReference(Scorecard card) =>
        card.Path is { } path ? card with { Reference = Counterfactual.Of(path, card.IsFromClient ? card.Connection.FromClient : card.Connection.FromServer) }
            : card;

    static Scorecard WithResult(Scorecard card, Connection connection)
    {
        ConnectionDirection sent = card.IsFromClient ? connection.FromClient : connection.FromServer;
        Fingerprint? fingerprint = card.Fingerprint?.WithEvents(card.Facts?.Dsacks ?? 0, sent.StackDsacks, sent.StackReoWndMult);
        return card with { Connection = connection, Fingerprint = fingerprint };
    }

    static IReplayMeasure[] Measures() => [new LossMeasure(), new CongestionMeasure()];

    static IReplayMeasure[] MeasuresOfPaths() => [.. Measures(), new PathMeasure()];
}

/// <summary>The scores of a trace.</summary>
/// <param name="Analysis">Its analysis.</param>
/// <param name="Cards">The senders that sent data: scored ones first, then by how much they sent.</param>
public sealed record TraceScores(TraceAnalysis Analysis, IReadOnlyList<Scorecard> Cards);
