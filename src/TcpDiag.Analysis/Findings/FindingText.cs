using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>The text of a finding: what is wrong, why, what shows it and what to do about it.</summary>
/// <param name="Title">One plain sentence.</param>
/// <param name="Cause">The likely cause, one or two plain sentences.</param>
/// <param name="Evidence">What it is based on.</param>
/// <param name="Advice">What to do, one step each, naming where: Windows, Linux, network.</param>
public sealed record FindingText(string Title, string Cause, IReadOnlyList<FindingEvidence> Evidence, IReadOnlyList<string> Advice)
{
    internal FindingText(string title)
        : this(title, string.Empty, [], [])
    {
    }

    internal FindingText(InvariantText title)
        : this(title.ToStringAndClear())
    {
    }

    internal FindingText Because(string cause) => this with { Cause = cause };

    internal FindingText Because(InvariantText cause) => Because(cause.ToStringAndClear());

    /// <summary>Adds a measure to the evidence.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value as people read it.</param>
    /// <param name="samples">How many samples it is based on.</param>
    /// <param name="from">First packet that shows it.</param>
    /// <param name="to">Last packet that shows it.</param>
    /// <returns>The text with the measure after those added before.</returns>
    internal FindingText Shown(string measure, string value, long? samples = null, TracePosition? from = null, TracePosition? to = null)
    {
        // The first measure starts a list of this text's own, to which the others are appended. A text shared by several findings has no measures yet.
        var known = Evidence as List<FindingEvidence>;
        List<FindingEvidence> evidence = known ?? [.. Evidence];
        evidence.Add(new FindingEvidence(measure, value, samples, from?.Packet, from?.Time, to?.Time));
        return known is null ? this with { Evidence = evidence } : this;
    }

    internal FindingText Shown(string measure, InvariantText value, long? samples = null, TracePosition? from = null, TracePosition? to = null) =>
        Shown(measure, value.ToStringAndClear(), samples, from, to);

    internal FindingText Shown(string measure, string value, long? samples, EvidenceSpan? span) =>
        span is { } known ? Shown(measure, value, samples, known.First, known.Last) : Shown(measure, value, samples);

    internal FindingText Shown(string measure, InvariantText value, long? samples, EvidenceSpan? span) =>
        Shown(measure, value.ToStringAndClear(), samples, span);

    /// <summary>Adds a count as evidence; nothing where there was none.</summary>
    internal FindingText ShownCount(string measure, long count) => count > 0 ? Shown(measure, $"{count}") : this;

    /// <summary>Adds advice, in front of any given before.</summary>
    /// <param name="advice">One step each, naming where to take it.</param>
    /// <returns>The text with the advice.</returns>
    internal FindingText Advise(params string[] advice) => this with { Advice = Advice.Count == 0 ? advice : [.. advice, .. Advice] };
}

/// <summary>
/// Interpolated text in the invariant culture. Nothing is boxed, no format string is parsed, and a text made recently is reused (<see cref="RecentTexts"/>).
/// </summary>
[InterpolatedStringHandler]
ref struct InvariantText
{
    DefaultInterpolatedStringHandler _text;

    // The compiler calls this and the Append methods.
    public InvariantText(int literalLength, int formattedCount) => _text = new(literalLength, formattedCount, CultureInfo.InvariantCulture);

    public static string Of(InvariantText text) => text.ToStringAndClear();

    public string ToStringAndClear()
    {
        string whole = RecentTexts.Of(_text.Text);
        _text.Clear();
        return whole;
    }

    public void AppendLiteral(string value) => _text.AppendLiteral(value);

    public void AppendFormatted(string? value) => _text.AppendFormatted(value);

    public void AppendFormatted<T>(T value, string? format = null) => _text.AppendFormatted(value, format);
}

/// <summary>The part of a trace that shows something.</summary>
/// <param name="FirstPacket">Number of the first frame that shows it, from 1.</param>
/// <param name="From">When it starts.</param>
/// <param name="To">When it ends.</param>
readonly record struct EvidenceSpan(long FirstPacket, TraceTime From, TraceTime To)
{
    /// <summary>First position, as a finding's evidence has it.</summary>
    public TracePosition First => new(FirstPacket, From);

    /// <summary>End of the span; of the last packet only the time is known.</summary>
    public TracePosition Last => new(FirstPacket, To);

    /// <summary>From the first packet of a connection to the end of its handshake, else to its last packet; null for one known from events alone.</summary>
    public static EvidenceSpan? OfOpening(Connection connection) => connection.FirstPacket == 0
        ? null
        : new EvidenceSpan(connection.FirstPacket, connection.Start, connection.ConnectTime is { } time ? connection.Start + time : connection.Last);

    /// <summary>From one position to another, or to the connection's end where there is no other; null without a first position.</summary>
    public static EvidenceSpan? Between(TracePosition? from, TracePosition? to, Connection connection) =>
        from is { } first ? new EvidenceSpan(first.Packet, first.Time, to?.Time ?? connection.Last) : null;

    public static implicit operator EvidenceSpan(LimitSpan span) => new(span.FirstPacket, span.From, span.To);
}
