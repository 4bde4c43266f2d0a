using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings;

/// <summary>A finding while a rule words it.</summary>
/// <param name="id">Its name, of <see cref="FindingIds"/>.</param>
/// <param name="title">One plain sentence.</param>
sealed class FindingDraft(string id, FormattableString title)
{
    const double NanosecondsPerSecond = 1e9;
    const double WarningShare = 0.05; // of the connection's time
    const double CriticalShare = 0.4;
    const double WarningSeconds = 0.1; // what a person notices
    const double CriticalSeconds = 1;

    readonly List<FindingEvidence> _evidence = [];
    string _cause = string.Empty;
    IReadOnlyList<string> _advice = [];
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

    /// <summary>Says why it is so.</summary>
    /// <param name="cause">One or two plain sentences.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Because(FormattableString cause)
    {
        _cause = cause.ToString(CultureInfo.InvariantCulture);
        return this;
    }

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="from">First packet that shows it.</param>
    /// <param name="to">Last packet that shows it.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Shown(string measure, FormattableString value, long? samples = null, Mark? from = null, Mark? to = null)
    {
        _evidence.Add(new FindingEvidence(measure, value.ToString(CultureInfo.InvariantCulture), samples, from?.Packet, from?.Time, to?.Time));
        return this;
    }

    /// <summary>Says what to do about it.</summary>
    /// <param name="advice">A step each, naming where.</param>
    /// <returns>The draft.</returns>
    public FindingDraft Advise(params string[] advice)
    {
        _advice = advice;
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
        title.ToString(CultureInfo.InvariantCulture),
        _cause,
        _evidence,
        _advice);

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
