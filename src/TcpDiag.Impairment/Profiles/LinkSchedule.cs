using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Impairment.Profiles;

/// <summary>The changes of one direction of a segment: options that hold from some time on.</summary>
sealed class LinkSchedule
{
    readonly List<ScheduledOption> _options = [];

    /// <summary>Adds an option; it has been read before and is right.</summary>
    public void Add(ScheduledOption option) => _options.Add(option);

    /// <summary>Forgets the changes of an option that came from an earlier source.</summary>
    public void ForgetOlder(string option, int source) =>
        _options.RemoveAll(given => string.Equals(given.Option, option, StringComparison.Ordinal) && given.Source < source);

    /// <summary>The settings with what they become.</summary>
    public LinkSettings ApplyTo(LinkSettings first)
    {
        List<LinkChange> changes = [];
        LinkSettings now = first;
        foreach (IGrouping<long, ScheduledOption> at in _options.OrderBy(option => option.AtNanos).GroupBy(option => option.AtNanos))
        {
            HashSet<string> given = [];
            foreach (ScheduledOption option in at)
            {
                now = LinkOptions.Apply(now, option.Option, new ValueReader(option.Where, option.Value), append: !given.Add(option.Option));
            }

            changes.Add(new LinkChange(at.Key, now));
        }

        return changes.Count == 0 ? first : first with { Changes = changes };
    }
}

/// <summary>An option that holds from some time on.</summary>
/// <param name="AtNanos">From when on, ns since the start of the run.</param>
/// <param name="Option">Its name.</param>
/// <param name="Where">Where it is, for messages.</param>
/// <param name="Value">Its value without prefixes.</param>
/// <param name="Source">The number of the source it came from: a profile, then the command line.</param>
sealed record ScheduledOption(long AtNanos, string Option, string Where, string Value, int Source);
