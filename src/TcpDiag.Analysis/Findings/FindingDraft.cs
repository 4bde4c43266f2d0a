using System;

namespace TcpDiag.Analysis.Findings;

/// <summary>A finding while a rule makes it.</summary>
/// <param name="id">Its name, of <see cref="FindingIds"/>.</param>
readonly struct FindingDraft(string id)
{
    const double NanosecondsPerSecond = 1e9;
    const double WarningShare = 0.05; // of the connection's time
    const double CriticalShare = 0.4;
    const double WarningSeconds = 0.1; // what a person notices
    const double CriticalSeconds = 1;

    static readonly Func<FindingText> Wordless = static () => throw new InvalidOperationException("a rule gave its finding no words");

    readonly string _id = id;

    Func<FindingText> Text { get; init; } = Wordless;

    double? SecondsLost { get; init; }

    double Confidence { get; init; } = 0.9;

    FindingSeverity Least { get; init; }

    /// <summary>What it cost.</summary>
    /// <param name="nanoseconds">Time a user waited for it.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Costs(long nanoseconds) => this with { SecondsLost = Math.Max(nanoseconds, 0) / NanosecondsPerSecond };

    /// <summary>How sure it is.</summary>
    /// <param name="confidence">0 … 1.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Sure(double confidence) => this with { Confidence = confidence };

    /// <summary>Makes it at least so grave, whatever it cost.</summary>
    /// <param name="severity">The severity.</param>
    /// <returns>The draft.</returns>
    public FindingDraft AtLeast(FindingSeverity severity) => this with { Least = severity };

    /// <summary>Says how its words are found.</summary>
    /// <param name="text">Finds them, once for each time somebody reads them.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Worded(Func<FindingText> text) => this with { Text = text };

    /// <summary>Ends the draft.</summary>
    /// <param name="connection">The connection; null when it concerns the whole trace.</param>
    /// <param name="isFromClient">The direction; null for the connection as a whole.</param>
    /// <returns>The finding.</returns>
    public Finding On(Connection? connection, bool? isFromClient = null) => new(
        _id,
        connection,
        isFromClient,
        SeverityFor(connection),
        SecondsLost,
        Confidence,
        connection is null ? Text : SystemAdvice.For(Text, connection));

    FindingSeverity SeverityFor(Connection? connection)
    {
        double lasted = connection is null ? 0 : (connection.Last - connection.Start) / NanosecondsPerSecond;
        double lost = SecondsLost ?? 0;
        FindingSeverity byCost = lost >= CriticalSeconds && lost >= CriticalShare * lasted ? FindingSeverity.Critical
            : lost >= WarningSeconds && lost >= WarningShare * lasted ? FindingSeverity.Warning
            : FindingSeverity.Note;
        return byCost > Least ? byCost : Least;
    }
}
