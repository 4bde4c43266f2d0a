using System;

namespace TcpDiag.Analysis.Findings;

/// <summary>A finding while a rule makes it.</summary>
/// <param name="id">Its name, of <see cref="FindingIds"/>.</param>
sealed class FindingDraft(string id)
{
    const double NanosecondsPerSecond = 1e9;
    const double WarningShare = 0.05; // of the connection's time
    const double CriticalShare = 0.4;
    const double WarningSeconds = 0.1; // what a person notices
    const double CriticalSeconds = 1;

    Func<FindingText> _text = static () => throw new InvalidOperationException("a rule gave its finding no words");
    double? _secondsLost;
    double _confidence = 0.9;
    FindingSeverity _atLeast;

    /// <summary>What it cost.</summary>
    /// <param name="nanoseconds">Time a user waited for it.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Costs(long nanoseconds)
    {
        _secondsLost = Math.Max(nanoseconds, 0) / NanosecondsPerSecond;
        return this;
    }

    /// <summary>How sure it is.</summary>
    /// <param name="confidence">0 … 1.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Sure(double confidence)
    {
        _confidence = confidence;
        return this;
    }

    /// <summary>Makes it at least so grave, whatever it cost.</summary>
    /// <param name="severity">The severity.</param>
    /// <returns>The draft.</returns>
    public FindingDraft AtLeast(FindingSeverity severity)
    {
        _atLeast = severity;
        return this;
    }

    /// <summary>Says how its words are found.</summary>
    /// <param name="text">Finds them, once for each time somebody reads them.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Worded(Func<FindingText> text)
    {
        _text = text;
        return this;
    }

    /// <summary>Ends the draft.</summary>
    /// <param name="connection">The connection; null when it concerns the whole trace.</param>
    /// <param name="isFromClient">The direction; null for the connection as a whole.</param>
    /// <returns>The finding.</returns>
    public Finding On(Connection? connection, bool? isFromClient = null) => new(
        id,
        connection,
        isFromClient,
        SeverityFor(connection),
        _secondsLost,
        _confidence,
        connection is null ? _text : () => SystemAdvice.For(_text(), connection));

    FindingSeverity SeverityFor(Connection? connection)
    {
        double lasted = connection is null ? 0 : (connection.Last - connection.Start) / NanosecondsPerSecond;
        double lost = _secondsLost ?? 0;
        FindingSeverity byCost = lost >= CriticalSeconds && lost >= CriticalShare * lasted ? FindingSeverity.Critical
            : lost >= WarningSeconds && lost >= WarningShare * lasted ? FindingSeverity.Warning
            : FindingSeverity.Note;
        return byCost > _atLeast ? byCost : _atLeast;
    }
}
