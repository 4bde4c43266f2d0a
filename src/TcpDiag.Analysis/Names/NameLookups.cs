using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// The name lookups of a trace, and which connection waited for which: the one to the address that came as the answer or, without an answer, the first
/// one the host opens when its resolver gives up.
/// </summary>
sealed class NameLookups
{
    const int Capacity = 1 << 14; // a bound against a trace of made-up queries

    const int MaxNames = 16; // of one address

    /// <summary>Longest time from an answer to the SYN of a program that waited for it.</summary>
    public const long MaxAnswerAgeNanos = 2_000_000_000;

    readonly Dictionary<(IpAddress Client, ushort Service, string Name), NameLookup> _latest = [];
    readonly Dictionary<IpAddress, List<NameLookup>> _byClient = [];
    readonly Dictionary<IpAddress, List<string>> _namesOf = [];
    readonly OpenQueries _open = new();
    int _count;

    public void OnQuery(in ParsedPacket packet, ReadOnlySpan<char> name, in DnsTransaction transaction, bool mayBeHost, TraceTime time, long packetNumber)
    {
        DnsRecordType type = transaction.Type;
        if (!IsForHost(name, type))
        {
            return;
        }

        (IpAddress, ushort, string Name) key = Key(packet.Source, packet.DestinationPort, name);
        OpenQueries.Query query = _open.OnQuery(new(packet.Source, packet.DestinationPort, key.Name, transaction), time, packetNumber);
        bool isKnown = _latest.TryGetValue(key, out NameLookup? lookup) && time - lookup.LatestBy(time) <= ResolverTimeout.Of(packet.DestinationPort).MaxNanos;
        if (!isKnown || lookup!.Question(type) is { Answered: not null })
        {
            if (_count == Capacity)
            {
                return;
            }

            lookup = new NameLookup
            {
                Asked = packet.Destination,
                Name = key.Name,
                Service = packet.DestinationPort,
                MayBeHost = mayBeHost,
                First = query.First,
                FirstPacket = query.FirstPacket,
                Queries = query.Count - 1,
            };
            _count++;
            _latest[key] = lookup;
            ListOf(packet.Source).Add(lookup);
        }

        if (query.First < lookup!.First)
        {
            (lookup.First, lookup.FirstPacket) = (query.First, query.FirstPacket);
        }

        Ask(lookup, type, time);
    }

    public void OnName(IpAddress address, string name)
    {
        if (!_namesOf.TryGetValue(address, out List<string>? names))
        {
            _namesOf[address] = names = [];
        }

        if (names.Count < MaxNames && !names.Exists(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)))
        {
            names.Add(name);
        }
    }

    /// <summary>Takes in an answer or an error; where it does not repeat the question, the transaction's type is that of its record.</summary>
    public void OnAnswer(in ParsedPacket packet, ReadOnlySpan<char> name, in DnsTransaction transaction, List<IpAddress> addresses, TraceTime time)
    {
        DnsRecordType type = transaction.Type;
        (IpAddress, ushort, string Name) key = Key(packet.Destination, packet.SourcePort, name);
        if (!_latest.TryGetValue(key, out NameLookup? lookup))
        {
            return;
        }

        _open.OnAnswer(new(packet.Destination, packet.SourcePort, key.Name, transaction));
        bool isDenial = type is DnsRecordType.Nsec or DnsRecordType.Null; // RFC 6762 §6.1, RFC 1002 §4.2.14
        foreach (NameQuestion question in lookup.Questions)
        {
            if (question.Answered is null && (isDenial || question.Type == type))
            {
                question.Answered = time;
                addresses.ForEach(address => lookup.Addresses.Add((address, time)));
            }
        }
    }

    /// <summary>Sets the lookup that each connection waited for; connections come in the order of their first packets.</summary>
    public void Attribute(List<Connection> connections)
    {
        var used = new HashSet<NameLookup>();
        for (int i = 0; i < connections.Count; i++)
        {
            if (Opening.Of(connections[i]) is { } opening && Claim(opening, used) is { } delay)
            {
                connections[i] = connections[i] with { Lookup = delay };
            }
        }
    }

    /// <summary>The lookup that a connection waited for, where no connection before it has.</summary>
    /// <param name="opening">Its opening.</param>
    /// <param name="used">The lookups that others waited for; this one is added.</param>
    /// <returns>The wait; null for none.</returns>
    public LookupDelay? Claim(in Opening opening, HashSet<NameLookup> used) =>
        Closest(opening, used) is { } lookup && used.Add(lookup) ? Delay(lookup, opening) : null;

    /// <summary>
    /// Whether a connection may have waited for a lookup, as far as others are not known; where the answer led several to the server, the first.
    /// </summary>
    /// <param name="opening">Its opening.</param>
    /// <param name="found">The lookups that have led others before it to their servers; the one that led this there is added.</param>
    public bool MayHaveWaited(in Opening opening, HashSet<NameLookup> found) =>
        Closest(opening, []) is { } lookup && (!lookup.LeadsTo(opening.Server, opening.Start) || found.Add(lookup));

    NameLookup? Closest(in Opening opening, HashSet<NameLookup> used) =>
        _byClient.TryGetValue(opening.Client, out List<NameLookup>? asked) ? Find(asked, opening, used) : null;

    // Hosts also browse for services (RFC 6763 §4) and probe for their own names (RFC 6762 §8.1): no connection waits for that.
    static bool IsForHost(ReadOnlySpan<char> name, DnsRecordType type) =>
        type is DnsRecordType.A or DnsRecordType.Aaaa or DnsRecordType.Https or DnsRecordType.Nb or DnsRecordType.NbStat
        || (type == DnsRecordType.Ptr && name.EndsWith(".arpa", StringComparison.OrdinalIgnoreCase));

    // mDNS answers are multicast: only the name matches them with a query.
    static (IpAddress Client, ushort Service, string Name) Key(IpAddress client, ushort service, ReadOnlySpan<char> name) =>
        (service == NameTable.MulticastDnsPort ? default : client, service, name.ToString());

    static void Ask(NameLookup lookup, DnsRecordType type, TraceTime time)
    {
        lookup.Queries++;
        lookup.Last = time;
        if (lookup.Question(type) is { } asked)
        {
            asked.PauseNanos = time - asked.Last;
            asked.Last = time;
            return;
        }

        lookup.Questions.Add(new NameQuestion { Type = type, Last = time });
    }

    NameLookup? Find(List<NameLookup> asked, in Opening connection, HashSet<NameLookup> used)
    {
        NameLookup? best = null;
        Relation closest = Relation.None;
        foreach (NameLookup lookup in asked)
        {
            Relation relation = RelationOf(lookup, connection, used);
            bool isLater = relation == Relation.Found && closest == Relation.Found;
            if (relation > closest || isLater)
            {
                best = lookup;
                closest = relation;
            }
        }

        return best;
    }

    // A lookup that gave the server's address counts, even if another connection has used it before.
    Relation RelationOf(NameLookup lookup, in Opening connection, HashSet<NameLookup> used)
    {
        TraceTime start = connection.Start;
        IpAddress server = connection.Server;
        if (lookup.LeadsTo(server, start))
        {
            long use = lookup.HasOpen(start) ? ResolverTimeout.Of(lookup.Service).MaxNanos : MaxAnswerAgeNanos;
            return start - lookup.LatestBy(start) <= use ? Relation.Found : Relation.None;
        }

        return used.Contains(lookup) || !lookup.IsGivenUp(start) ? Relation.None
            : lookup.Asked == server || HostName.IsAddress(lookup.Name, server) ? Relation.AskedServer
            : MayBeNameOf(lookup, server) ? Relation.Before
            : Relation.None;
    }

    // Where names of the server are known, its connection waited for no other name.
    bool MayBeNameOf(NameLookup lookup, IpAddress server) =>
        lookup.MayBeHost && !HostName.IsAddress(lookup.Name)
        && (!_namesOf.TryGetValue(server, out List<string>? names) || names.Exists(name => HostName.IsSameHost(name, lookup.Name)));

    static LookupDelay Delay(NameLookup lookup, in Opening connection)
    {
        TraceTime start = connection.Start;
        bool isFound = lookup.LeadsTo(connection.Server, start);
        return new LookupDelay(
            lookup.EndBy(start) - lookup.First,
            lookup.Name,
            lookup.Service,
            lookup.Queries,
            isFound,
            isFound || lookup.Asked == connection.Server || HostName.IsAddress(lookup.Name, connection.Server),
            lookup.FirstPacket)
        {
            AfterTime = start - lookup.EndBy(start),
            Missing = isFound ? lookup.OpenTypes(start) : null,
        };
    }

    List<NameLookup> ListOf(IpAddress client)
    {
        if (!_byClient.TryGetValue(client, out List<NameLookup>? lookups))
        {
            _byClient[client] = lookups = [];
        }

        return lookups;
    }

    // How closely a lookup is related to a connection, the closest last.
    enum Relation
    {
        None = 0,
        Before,
        AskedServer,
        Found,
    }
}

/// <summary>What tells which lookup a connection waited for.</summary>
/// <param name="Client">Who opened it.</param>
/// <param name="Server">The other end.</param>
/// <param name="Start">When.</param>
readonly record struct Opening(IpAddress Client, IpAddress Server, TraceTime Start)
{
    /// <summary>The opening of a connection; null where it was not captured.</summary>
    public static Opening? Of(Connection connection) =>
        connection.FromClient.HasSyn ? new(connection.Client.Address, connection.Server.Address, connection.Start) : null;
}
