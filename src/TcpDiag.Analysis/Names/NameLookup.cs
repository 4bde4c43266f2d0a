using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>One name looked up by one host: the record types it asked for, and the addresses that came.</summary>
sealed class NameLookup
{
    /// <summary>A program that waited for an answer connects within; nanoseconds.</summary>
    public const long AtOnce = 100_000_000;

    /// <summary>Whom it asked; a multicast or broadcast address where nobody in particular.</summary>
    public required IpAddress Asked { get; init; }

    /// <summary>The name, as it stands in the query.</summary>
    public required string Name { get; init; }

    /// <summary>UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR.</summary>
    public required ushort Service { get; init; }

    /// <summary>First query.</summary>
    public required TraceTime First { get; init; }

    /// <summary>Its packet, from 1.</summary>
    public required long FirstPacket { get; init; }

    /// <summary>Latest query, of any type.</summary>
    public TraceTime Last { get; set; }

    /// <summary>Whether it may be the name of a host to connect to; what a machine asks on its own account is not.</summary>
    public required bool MayBeHost { get; init; }

    /// <summary>Queries sent.</summary>
    public int Queries { get; set; }

    /// <summary>What was asked, one for each type.</summary>
    public List<NameQuestion> Questions { get; } = [];

    /// <summary>Addresses in the answers, and when each came.</summary>
    public List<(IpAddress Address, TraceTime Time)> Addresses { get; } = [];

    /// <summary>The question of a type.</summary>
    /// <param name="type">The record type.</param>
    /// <returns>The question; null when it was not asked.</returns>
    public NameQuestion? Question(DnsRecordType type) => Questions.Find(question => question.Type == type);

    /// <summary>Whether a question was without answer.</summary>
    /// <param name="now">By when.</param>
    /// <returns>True when one was.</returns>
    public bool HasOpen(TraceTime now) => Questions.Exists(question => question.IsOpen(now));

    /// <summary>The record types without answer.</summary>
    /// <param name="now">By when.</param>
    /// <returns>Their names; null when there are none.</returns>
    public string? OpenTypes(TraceTime now)
    {
        string types = string.Join(" and ", Questions.FindAll(question => question.IsOpen(now)).ConvertAll(static question => question.Type.ToString().ToUpperInvariant()));
        return types.Length > 0 ? types : null;
    }

    /// <summary>Whether an answer held a server's address.</summary>
    /// <param name="server">The address.</param>
    /// <param name="now">By when.</param>
    /// <returns>True when one did.</returns>
    public bool LeadsTo(IpAddress server, TraceTime now) => Addresses.Exists(found => found.Address == server && found.Time <= now);

    /// <summary>The latest thing that happened to it by an instant: a query or an answer.</summary>
    /// <param name="now">The instant.</param>
    /// <returns>When that was.</returns>
    public TraceTime LatestBy(TraceTime now)
    {
        TraceTime latest = First;
        foreach (NameQuestion question in Questions)
        {
            TraceTime known = question.IsOpen(now) ? question.Last : question.Answered!.Value;
            latest = known > latest && known <= now ? known : latest;
        }

        return latest;
    }

    /// <summary>When the wait for it ended: at the SYN, unless all answers had long been there by then.</summary>
    /// <param name="syn">When the client connected.</param>
    /// <returns>The end.</returns>
    public TraceTime EndBy(TraceTime syn) =>
        HasOpen(syn) || syn - LatestBy(syn) <= AtOnce ? syn : LatestBy(syn);

    /// <summary>
    /// Whether a resolver that got no answer at all gives up at an instant. After the last query it waits as long as between queries, or, where it doubles its waits, twice.
    /// </summary>
    /// <param name="now">The instant.</param>
    /// <returns>True when it is time.</returns>
    public bool IsGivenUp(TraceTime now)
    {
        if (Last > now || !Questions.TrueForAll(question => question.IsOpen(now)))
        {
            return false;
        }

        long pause = 0;
        foreach (NameQuestion question in Questions)
        {
            pause = Math.Max(pause, question.Pause);
        }

        Patience patience = Patience.Of(Service);
        long least = pause > 0 ? pause - (pause / 8) : patience.Least;
        long most = pause > 0 ? Math.Min((2 * pause) + (pause / 8), patience.Most) : patience.Most;
        return now - Last >= least && now - Last <= most;
    }
}
