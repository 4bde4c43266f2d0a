using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// The name lookups of a trace, and which connection waited for which: one whose server's address came as the answer,
/// or, where no answer came, the first connection the host opens as its resolver gives up asking.
/// </summary>
sealed class NameLookups
{
    const int Capacity = 1 << 14; // a bound against a trace of made-up queries

    const int MostNames = 16; // of one address

    /// <summary>From an answer to the SYN it was asked for, at most; nanoseconds.</summary>
    public const long AnswerUse = 2_000_000_000;

    readonly Dictionary<(IpAddress Client, ushort Service, string Name), NameLookup> _latest = [];
    readonly Dictionary<IpAddress, List<NameLookup>> _byClient = [];
    readonly Dictionary<IpAddress, List<string>> _namesOf = [];
    int _count;

    /// <summary>Takes in a query.</summary>
    /// <param name="packet">The UDP packet.</param>
    /// <param name="name">The name asked for.</param>
    /// <param name="type">The record type asked for.</param>
    /// <param name="mayBeHost">Whether it may be the name of a host to connect to.</param>
    /// <param name="time">When.</param>
    /// <param name="packetNumber">Number of the packet, from 1.</param>
    public void OnQuery(in ParsedPacket packet, ReadOnlySpan<char> name, DnsRecordType type, bool mayBeHost, TraceTime time, long packetNumber)
    {
        if (!IsForHost(name, type))
        {
            return;
        }

        (IpAddress, ushort, string Name) key = Key(packet.Source, packet.DestinationPort, name);
        bool isKnown = _latest.TryGetValue(key, out NameLookup? lookup) && time - lookup.LatestBy(time) <= Patience.Of(packet.DestinationPort).Most;
        if (!isKnown || lookup!.Question(type) is { Answered: not null })
        {
            if (_count == Capacity)
            {
                return;
            }

            lookup = new NameLookup { Asked = packet.Destination, Name = key.Name, Service = packet.DestinationPort, MayBeHost = mayBeHost, First = time, FirstPacket = packetNumber };
            _count++;
            _latest[key] = lookup;
            ListOf(packet.Source).Add(lookup);
        }

        Ask(lookup!, type, time);
    }

    /// <summary>Takes in a name of an address, each once.</summary>
    /// <param name="address">The address.</param>
    /// <param name="name">The name.</param>
    public void OnName(IpAddress address, string name)
    {
        if (!_namesOf.TryGetValue(address, out List<string>? names))
        {
            _namesOf[address] = names = [];
        }

        if (names.Count < MostNames && !names.Exists(known => known.Equals(name, StringComparison.OrdinalIgnoreCase)))
        {
            names.Add(name);
        }
    }

    /// <summary>Takes in an answer, an error included.</summary>
    /// <param name="packet">The UDP packet.</param>
    /// <param name="name">The name that was asked for.</param>
    /// <param name="type">The record type that was asked for, or, where the answer repeats no question, that of its record.</param>
    /// <param name="addresses">Addresses it gives.</param>
    /// <param name="time">When.</param>
    public void OnAnswer(in ParsedPacket packet, ReadOnlySpan<char> name, DnsRecordType type, List<IpAddress> addresses, TraceTime time)
    {
        if (!_latest.TryGetValue(Key(packet.Destination, packet.SourcePort, name), out NameLookup? lookup))
        {
            return;
        }

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

    /// <summary>Finds what each connection waited for.</summary>
    /// <param name="connections">The connections, in the order of their first packets.</param>
    public void Attribute(IReadOnlyList<Connection> connections)
    {
        var used = new HashSet<NameLookup>();
        foreach (Connection connection in connections)
        {
            if (connection.FromClient.HasSyn && _byClient.TryGetValue(connection.Client.Address, out List<NameLookup>? asked) && Find(asked, connection, used) is { } lookup && used.Add(lookup))
            {
                connection.Lookup = Delay(lookup, connection);
            }
        }
    }

    // Hosts also browse for services (RFC 6763 §4) and probe for their own names (RFC 6762 §8.1): no connection waits for that.
    static bool IsForHost(ReadOnlySpan<char> name, DnsRecordType type) =>
        type is DnsRecordType.A or DnsRecordType.Aaaa or DnsRecordType.Https or DnsRecordType.Nb or DnsRecordType.NbStat
        || (type == DnsRecordType.Ptr && name.EndsWith(".arpa", StringComparison.OrdinalIgnoreCase));

    // Answers of mDNS go to everyone: there the name alone joins them to the query.
    static (IpAddress Client, ushort Service, string Name) Key(IpAddress client, ushort service, ReadOnlySpan<char> name) =>
        (service == NameTable.MulticastDnsPort ? default : client, service, name.ToString());

    static void Ask(NameLookup lookup, DnsRecordType type, TraceTime time)
    {
        lookup.Queries++;
        lookup.Last = time;
        if (lookup.Question(type) is { } asked)
        {
            asked.Pause = time - asked.Last;
            asked.Last = time;
            return;
        }

        lookup.Questions.Add(new NameQuestion { Type = type, Last = time });
    }

    NameLookup? Find(List<NameLookup> asked, Connection connection, HashSet<NameLookup> used)
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

    // What led to the server's address decides, even where it led another connection there before.
    Relation RelationOf(NameLookup lookup, Connection connection, HashSet<NameLookup> used)
    {
        TraceTime start = connection.Start;
        IpAddress server = connection.Server.Address;
        if (lookup.LeadsTo(server, start))
        {
            long use = lookup.HasOpen(start) ? Patience.Of(lookup.Service).Most : AnswerUse;
            return start - lookup.LatestBy(start) <= use ? Relation.Found : Relation.None;
        }

        return used.Contains(lookup) || !lookup.IsGivenUp(start) ? Relation.None
            : lookup.Asked == server || NamePurpose.IsAddress(lookup.Name, server) ? Relation.AskedServer
            : MayBeNameOf(lookup, server) ? Relation.Before
            : Relation.None;
    }

    // Where the trace tells names of the server, another name is not what its connection waited for.
    bool MayBeNameOf(NameLookup lookup, IpAddress server) =>
        lookup.MayBeHost && !NamePurpose.IsAddress(lookup.Name)
        && (!_namesOf.TryGetValue(server, out List<string>? names) || names.Exists(name => NamePurpose.IsSameHost(name, lookup.Name)));

    static LookupDelay Delay(NameLookup lookup, Connection connection)
    {
        TraceTime start = connection.Start;
        bool isFound = lookup.LeadsTo(connection.Server.Address, start);
        return new LookupDelay(
            lookup.EndBy(start) - lookup.First,
            lookup.Name,
            lookup.Service,
            lookup.Queries,
            isFound,
            isFound || lookup.Asked == connection.Server.Address || NamePurpose.IsAddress(lookup.Name, connection.Server.Address),
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

    // How much a lookup has to do with a connection, the closest last.
    enum Relation
    {
        None = 0,
        Before,
        AskedServer,
        Found,
    }
}
