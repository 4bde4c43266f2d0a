using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Analysis.Patterns;

namespace TcpDiag.Analysis.Findings;

/// <summary>The words of a finding: what it says, why it is so, what shows it and what to do about it.</summary>
public sealed class FindingText
{
    readonly List<FindingEvidence> _evidence = [];

    /// <summary>Begins the words.</summary>
    /// <param name="title">One plain sentence.</param>
    internal FindingText(FormattableString title) => Title = title.ToString(CultureInfo.InvariantCulture);

    /// <summary>One plain sentence.</summary>
    public string Title { get; }

    /// <summary>The likely cause, one or two plain sentences.</summary>
    public string Cause { get; private set; } = string.Empty;

    /// <summary>What it rests on.</summary>
    public IReadOnlyList<FindingEvidence> Evidence => _evidence;

    /// <summary>What to do, a step each, naming where: Windows, Linux, network.</summary>
    public IReadOnlyList<string> Advice { get; private set; } = [];

    /// <summary>Says why it is so.</summary>
    /// <param name="cause">One or two plain sentences.</param>
    /// <returns>The same words.</returns>
    internal FindingText Because(FormattableString cause)
    {
        Cause = cause.ToString(CultureInfo.InvariantCulture);
        return this;
    }

    /// <summary>Adds a measure.</summary>
    /// <param name="measure">What was measured.</param>
    /// <param name="value">The value, as it is to be read.</param>
    /// <param name="samples">Samples behind it.</param>
    /// <param name="from">First packet that shows it.</param>
    /// <param name="to">Last packet that shows it.</param>
    /// <returns>The same words.</returns>
    internal FindingText Shown(string measure, FormattableString value, long? samples = null, Mark? from = null, Mark? to = null)
    {
        _evidence.Add(new FindingEvidence(measure, value.ToString(CultureInfo.InvariantCulture), samples, from?.Packet, from?.Time, to?.Time));
        return this;
    }

    /// <summary>Says what to do about it, before anything said so far.</summary>
    /// <param name="advice">A step each, naming where.</param>
    /// <returns>The same words.</returns>
    internal FindingText Advise(params string[] advice)
    {
        Advice = [.. advice, .. Advice];
        return this;
    }
}
