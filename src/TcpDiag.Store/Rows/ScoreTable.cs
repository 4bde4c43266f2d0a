using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>A component of a sender's score.</summary>
/// <param name="Head">The recording.</param>
/// <param name="Card">The sender.</param>
/// <param name="Component">The component.</param>
sealed record ScoreSubject(RowHead Head, Scorecard Card, ScoreComponent Component);

/// <summary>The table of score components. The rate is hits of trials; whoever adds up senders adds up those.</summary>
static class ScoreTable
{
    public static TableMap<ScoreSubject> Map { get; } = new TableMap<ScoreSubject>("score", "a component of the score of a recording's sender", row => row.Head)
        .Key("connection", row => row.Card.Connection.Index, "as analyze numbers it")
        .Key("sender", row => row.Card.IsFromClient ? "client" : "server", "client, server")
        .Key("component", row => row.Component.Id, "its name, e.g. late-within-window")
        .Word("family", row => Names.Of(row.Component.Family), "lossDetection, congestionControl, slowStartExit")
        .Number("hits", row => row.Component.Rate?.Hits, "how often it did what it should; none where the path gave no chance")
        .Number("trials", row => row.Component.Rate?.Trials, "of how often")
        .Share("low_ppm", row => row.Component.Rate?.Low, "lower end of the rate's 95 % interval")
        .Share("high_ppm", row => row.Component.Rate?.High, "upper end")
        .Word("fingerprint", row => row.Card.Fingerprint?.Verdict, "how the sender detects losses")
        .Number("segments", row => row.Card.Facts?.Segments, "data segments it sent");

    /// <summary>The rows of a sender.</summary>
    public static IEnumerable<ScoreSubject> Subjects(RowHead head, Scorecard card) => card.Components.Select(component => new ScoreSubject(head, card,
        component));
}
