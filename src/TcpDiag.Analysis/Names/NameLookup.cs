using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>One name looked up by one host: the record types it asked for, and the addresses it got.</summary>
sealed class NameLookup
{
    /// <summary>A program that waited for an answer connects within this time.</summary>
    public const long ConnectDelayNanos = 100_000_000;

    /// <summary>Where the query was sent; may be a multicast or broadcast address.</summary>
    public required IpAddress Asked { get; init; }

    /// <summary>The name as written in the query.</summary>
    public required string Name { get; init; }

    /// <summary>UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR.</summary>
    public required ushort Service { get; init; }

    /// <summary>The first query, of any type.</summary>
    public required TraceTime First { get; set; }

    /// <summary>Packet of the first query, from 1.</summary>
    public required long FirstPacket { get; set; }

    /// <summary>Latest query, of any type.</summary>
    public TraceTime Last { get; set; }

    /// <summary>Whether it may be the name of a host to connect to (<see cref="HostName"/>).</summary>
    public required bool MayBeHost { get; init; }

    public int Queries { get; set; }

    /// <summary>One for each record type asked for.</summary>
    public List<NameQuestion> Questions { get; } = [];

    /// <summary>Addresses in the answers, and when each came.</summary>
    public List<(IpAddress Address, TraceTime Time)> Addresses { get; } = [];

    public NameQuestion? Question(DnsRecordType type) => Questions.Find(question => question.Type == type);

    /// <summary>Whether a question had no answer by an instant.</summary>
    public bool HasOpen(TraceTime now) => Questions.Exists(question => question.IsOpen(now));

    /// <summary>Names of the record types without an answer by an instant; null when there are none.</summary>
    public string? OpenTypes(TraceTime now)
    {
        List<NameQuestion> open = Questions.FindAll(question => question.IsOpen(now));
        string types = string.Join(" and ", open.ConvertAll(static question => question.Type.ToString().ToUpperInvariant()));
        return types.Length > 0 ? types : null;
    }

    /// <summary>Whether an answer had given a server's address by an instant.</summary>
    public bool LeadsTo(IpAddress server, TraceTime now) => Addresses.Exists(found => found.Address == server && found.Time <= now);

    /// <summary>The latest query or answer by an instant.</summary>
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

    /// <summary>When the wait for it ended: at the SYN, unless all answers had come long before.</summary>
    public TraceTime EndBy(TraceTime syn) =>
        HasOpen(syn) || syn - LatestBy(syn) <= ConnectDelayNanos ? syn : LatestBy(syn);

    /// <summary>
    /// Whether a resolver that got no answer gives up at an instant: after its last query it waits as long as between queries, or twice as long where it
    /// doubles its waits.
    /// </summary>
    public bool IsGivenUp(TraceTime now)
    {
        if (Last > now || !Questions.TrueForAll(question => question.IsOpen(now)))
        {
            return false;
        }

        long pause = 0;
        foreach (NameQuestion question in Questions)
        {
            pause = Math.Max(pause, question.PauseNanos);
        }

        ResolverTimeout timeout = ResolverTimeout.Of(Service);
        long min = pause > 0 ? pause - (pause / 8) : timeout.MinNanos;
        long max = pause > 0 ? Math.Min((2 * pause) + (pause / 8), timeout.MaxNanos) : timeout.MaxNanos;
        return now - Last >= min && now - Last <= max;
    }
}

/// <summary>One record type asked for: the query with its repetitions, and when the answer came.</summary>
sealed class NameQuestion
{
    public required DnsRecordType Type { get; init; }

    public required TraceTime Last { get; set; }

    /// <summary>Between the latest query and the one before; 0 after one query.</summary>
    public long PauseNanos { get; set; }

    /// <summary>When the answer or an error came; null while none has.</summary>
    public TraceTime? Answered { get; set; }

    public bool IsOpen(TraceTime now) => Answered is not { } answered || answered > now;
}

/// <summary>How long resolvers wait for an answer before they ask again or give up.</summary>
/// <param name="MinNanos">The shortest wait.</param>
/// <param name="MaxNanos">The longest wait, plus a tenth for what delays a program.</param>
readonly record struct ResolverTimeout(long MinNanos, long MaxNanos)
{
    const long Millisecond = 1_000_000;

    /// <summary>The timeout of the resolvers of a service, by its UDP port.</summary>
    public static ResolverTimeout Of(int service) => service switch
    {
        NameTable.DnsPort => new(1000 * Millisecond, 5500 * Millisecond), // Windows asks again after 1, 1, 2 and 4 s; resolv.conf(5): 5 s
        NameTable.NetBiosPort => new(250 * Millisecond, 2000 * Millisecond), // RFC 1002 §6: BCAST_REQ_RETRY_TIMEOUT; Windows: 0.75 s, 1.5 s of a name server
        NameTable.MulticastDnsPort => new(1000 * Millisecond, 5500 * Millisecond), // RFC 6762 §5.2
        _ => new(100 * Millisecond, 1100 * Millisecond), // RFC 4795 §7: LLMNR_TIMEOUT; Windows less
    };
}
