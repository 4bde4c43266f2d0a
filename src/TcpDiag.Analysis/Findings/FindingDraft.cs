using System;
using System.Linq;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Findings;

/// <summary>A finding under construction by a rule.</summary>
/// <param name="id">One of <see cref="FindingIds"/>.</param>
readonly struct FindingDraft(string id)
{
    const double NanosecondsPerSecond = 1e9;

    static readonly Func<FindingText> NoText = static () => throw new InvalidOperationException("a rule gave its finding no words");

    readonly string _id = id;

    Func<FindingText> Text { get; init; } = NoText;

    double? SecondsLost { get; init; }

    double Confidence { get; init; } = 0.9;

    double? MinSecondsLost { get; init; }

    bool IsDescription { get; init; }

    bool IsBreakOff { get; init; }

    bool IsByMin { get; init; }

    FindingSeverity MinSeverity { get; init; }

    FindingSeverity MaxSeverity { get; init; } = FindingSeverity.Critical;

    /// <summary>Sets the time a user waited because of it.</summary>
    public FindingDraft Costs(long nanoseconds) => this with { SecondsLost = Math.Max(nanoseconds, 0) / NanosecondsPerSecond };

    /// <summary>Sets the same as a range, nanoseconds.</summary>
    public FindingDraft Costs((long Max, long Min) nanoseconds) =>
        Costs(nanoseconds.Max) with { MinSecondsLost = Math.Max(nanoseconds.Min, 0) / NanosecondsPerSecond };

    /// <summary>Sets the confidence, 0 … 1.</summary>
    public FindingDraft WithConfidence(double confidence) => this with { Confidence = confidence };

    /// <summary>Sets the lowest severity it can have, whatever it cost.</summary>
    public FindingDraft WithMinSeverity(FindingSeverity severity) => this with { MinSeverity = severity };

    /// <summary>Makes it a note, whatever it cost: it is in the nature of the program, or of the path.</summary>
    public FindingDraft AsNote(bool isNote = true) => isNote ? this with { MaxSeverity = FindingSeverity.Note } : this;

    /// <summary>Has the least it cost decide on its severity: how much more it may have been is not sure.</summary>
    public FindingDraft ByMin(bool isByMin = true) => this with { IsByMin = isByMin };

    /// <summary>Says that it only tells what state the transfer was in, or follows from it: notes that name a cause stand in front of it.</summary>
    public FindingDraft AsDescription(bool isDescription = true) => this with { IsDescription = isDescription };

    /// <summary>Says that it broke off what the connection was for: it is critical, and stands in front of what only cost time.</summary>
    public FindingDraft AsBreakOff() => this with { IsBreakOff = true, MinSeverity = FindingSeverity.Critical };

    /// <summary>Sets what builds its text; called each time somebody reads the text.</summary>
    public FindingDraft WithText(Func<FindingText> text) => this with { Text = text };

    /// <summary>Completes the finding.</summary>
    /// <param name="connection">The connection; null when it concerns the whole trace.</param>
    /// <param name="isFromClient">The direction; null for the connection as a whole.</param>
    /// <returns>The finding, with advice for other operating systems than those of the connection left out.</returns>
    public Finding On(Connection? connection, bool? isFromClient = null) => new(
        _id,
        connection,
        isFromClient,
        SeverityFor(connection is null ? 0 : Lasted(connection, isFromClient)),
        SecondsLost,
        Confidence,
        connection is null ? Text : SystemAdvice.For(Text, connection))
    {
        MinSecondsLost = MinSecondsLost,
        IsDescription = IsDescription,
        IsBreakOff = IsBreakOff,
    };

    // What a user waited for: the transfer without its idle time, or the whole connection.
    static double Lasted(Connection connection, bool? isFromClient)
    {
        long whole = connection.Last - connection.Start;
        long busy = isFromClient is { } side ? new DirectionSubject(connection, side).BusyTime : 0;
        return (busy > 0 ? busy : whole) / NanosecondsPerSecond;
    }

    FindingSeverity SeverityFor(double lasted)
    {
        double lost = (IsByMin ? MinSecondsLost : null) ?? SecondsLost ?? 0;
        FindingSeverity byCost = lost < Thresholds.MinFeltSeconds || lost < Thresholds.WarningShare * lasted ? FindingSeverity.Note
            : lost < Thresholds.CriticalShare * lasted ? FindingSeverity.Warning
            : FindingSeverity.Critical;
        FindingSeverity max = Confidence < Thresholds.SureConfidence ? FindingSeverity.Note : MaxSeverity;
        FindingSeverity severity = byCost > MinSeverity ? byCost : MinSeverity;
        return severity < max ? severity : max;
    }
}

/// <summary>
/// Leaves out advice meant for another operating system: a step that starts with <c>Windows client:</c> is useless where the client runs Linux, as is
/// one that starts with <c>Windows:</c> where both ends do.
/// </summary>
static class SystemAdvice
{
    /// <summary>The text without advice for other systems; unchanged where the systems of both ends are unknown.</summary>
    public static FindingText For(FindingText text, Connection connection) =>
        IsKnown(connection) ? text with { Advice = [.. text.Advice.Where(step => IsOfUse(step, connection))] } : text;

    /// <summary>The same, done when the text is read. The connection's systems must be known by now.</summary>
    public static Func<FindingText> For(Func<FindingText> text, Connection connection) => IsKnown(connection) ? Later(text, connection) : text;

    // A method of its own, so that no closure is allocated for a connection of unknown systems.
    static Func<FindingText> Later(Func<FindingText> text, Connection connection) => () => For(text(), connection);

    static bool IsKnown(Connection connection) => connection.ClientSystem != EndSystem.Unknown || connection.ServerSystem != EndSystem.Unknown;

    static bool IsOfUse(string step, Connection connection)
    {
        bool isSame = connection.ClientSystem == connection.ServerSystem;
        return !IsForAnother(step, " client: ", connection.ClientSystem)
            && !IsForAnother(step, " server: ", connection.ServerSystem)
            && !IsForAnother(step, ": ", isSame ? connection.ClientSystem : EndSystem.Unknown);
    }

    static bool IsForAnother(string step, string end, EndSystem system) =>
        (system is EndSystem.Linux && step.StartsWith($"{EndSystem.Windows}{end}", StringComparison.Ordinal))
        || (system is EndSystem.Windows && step.StartsWith($"{EndSystem.Linux}{end}", StringComparison.Ordinal));
}
