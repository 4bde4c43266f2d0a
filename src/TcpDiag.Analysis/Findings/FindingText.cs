using System;
using System.Collections.Generic;
using System.Globalization;
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
    internal FindingText(FormattableString title)
        : this(title.ToString(CultureInfo.InvariantCulture), string.Empty, [], [])
    {
    }

    /// <summary>Says why it is so.</summary>
    /// <param name="cause">One or two plain sentences.</param>
    /// <returns>The words with the cause.</returns>
    internal FindingText Because(FormattableString cause) => this with { Cause = cause.ToString(CultureInfo.InvariantCulture) };

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="from">First packet that shows it.</param>
    /// <param name="to">Last packet that shows it.</param>
    /// <returns>The words with the measure behind those before.</returns>
    internal FindingText Shown(string measure, FormattableString value, long? samples = null, Mark? from = null, Mark? to = null) => this with
    {
        Evidence = [.. Evidence, new FindingEvidence(measure, value.ToString(CultureInfo.InvariantCulture), samples, from?.Packet, from?.Time, to?.Time)],
    };

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="place">Where it shows; null when no place does.</param>
    /// <returns>The words with the measure behind those before.</returns>
    internal FindingText Shown(string measure, FormattableString value, long? samples, Place? place) =>
        Shown(measure, value, samples, place is { } at ? new Mark(at.FirstPacket, at.From) : (Mark?)null, place is { } until ? new Mark(until.FirstPacket, until.To) : null);

    /// <summary>Says what to do about it, before anything said so far.</summary>
    /// <param name="advice">A step each, naming where.</param>
    /// <returns>The words with the advice.</returns>
    internal FindingText Advise(params string[] advice) => this with { Advice = [.. advice, .. Advice] };
}
