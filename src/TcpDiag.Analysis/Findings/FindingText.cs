using System.Collections.Generic;
using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings;

/// <summary>The words of a finding: what it says, why it is so, what shows it and what to do about it.</summary>
/// <param name="Title">One plain sentence.</param>
/// <param name="Cause">The likely cause, one or two plain sentences.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Advice">What to do, a step each, naming where: Windows, Linux, network.</param>
public sealed record FindingText(string Title, string Cause, IReadOnlyList<FindingEvidence> Evidence, IReadOnlyList<string> Advice)
{
    /// <summary>Begins the words.</summary>
    /// <param name="title">One plain sentence.</param>
    internal FindingText(string title)
        : this(title, string.Empty, [], [])
    {
    }

    /// <inheritdoc cref="FindingText(string)"/>
    internal FindingText(InvariantText title)
        : this(title.ToStringAndClear())
    {
    }

    /// <summary>Says why it is so.</summary>
    /// <param name="cause">One or two plain sentences.</param>
    /// <returns>The words with the cause.</returns>
    internal FindingText Because(string cause) => this with { Cause = cause };

    /// <inheritdoc cref="Because(string)"/>
    internal FindingText Because(InvariantText cause) => Because(cause.ToStringAndClear());

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="from">First packet that shows it.</param>
    /// <param name="to">Last packet that shows it.</param>
    /// <returns>The words with the measure behind those before.</returns>
    internal FindingText Shown(string measure, string value, long? samples = null, Mark? from = null, Mark? to = null)
    {
        // Words in the making: the first measure begins a list, which those behind it go on with. Words that several findings share have no measure.
        var known = Evidence as List<FindingEvidence>;
        List<FindingEvidence> evidence = known ?? [.. Evidence];
        evidence.Add(new FindingEvidence(measure, value, samples, from?.Packet, from?.Time, to?.Time));
        return known is null ? this with { Evidence = evidence } : this;
    }

    /// <inheritdoc cref="Shown(string, string, long?, Mark?, Mark?)"/>
    internal FindingText Shown(string measure, InvariantText value, long? samples = null, Mark? from = null, Mark? to = null) =>
        Shown(measure, value.ToStringAndClear(), samples, from, to);

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="place">Where it shows; null when no place does.</param>
    /// <returns>The words with the measure behind those before.</returns>
    internal FindingText Shown(string measure, string value, long? samples, Place? place) =>
        Shown(measure, value, samples, place is { } at ? new Mark(at.FirstPacket, at.From) : (Mark?)null, place is { } until ? new Mark(until.FirstPacket, until.To) : null);

    /// <inheritdoc cref="Shown(string, string, long?, Place?)"/>
    internal FindingText Shown(string measure, InvariantText value, long? samples, Place? place) => Shown(measure, value.ToStringAndClear(), samples, place);

    /// <summary>Says what to do about it, before anything said so far.</summary>
    /// <param name="advice">A step each, naming where.</param>
    /// <returns>The words with the advice.</returns>
    internal FindingText Advise(params string[] advice) => this with { Advice = Advice.Count == 0 ? advice : [.. advice, .. Advice] };
}
