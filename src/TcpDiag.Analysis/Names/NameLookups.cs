using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// The name lookups of a trace, and which connection waited for which: one whose server's address came as the answer,
/// or, where no answer came, the first connection the host opens after it gave up asking.
/// </summary>
sealed class NameLookups
{
    const int Capacity = 1 << 14; // a bound against a trace of made-up queries
    const long MostPause = 5_000_000_000; // ns between two queries of one lookup, or the last and the SYN: no resolver waits longer
    const long AnswerUse = 2_000_000_000; // ns from an answer to the SYN it was asked for

    const int MulticastDnsPort = 5353; // RFC 6762 §3

    readonly Dictionary<(IpAddress Client, ushort Service, string Name), NameLookup> _open = [];
    readonly Dictionary<IpAddress, List<NameLookup>> _byClient = [];
    int _count;

    /// <summary>Takes in a query.</summary>
    /// <param name="packet">The UDP packet.</param>
    /// <param name="name">The name asked for.</param>
    /// <param name="time">When.</param>
    /// <param name="packetNumber">Number of the packet, from 1.</param>
    public void OnQuery(in ParsedPacket packet, ReadOnlySpan<char> name, TraceTime time, long packetNumber)
    {
        (IpAddress, ushort, string Name) key = Key(packet.Source, packet.DestinationPort, name);
        if (_open.TryGetValue(key, out NameLookup? known) && time - known.Last <= MostPause)
        {
            known.Last = time;
            known.Queries++;
            return;
        }

        if (_count == Capacity)
        {
            return;
        }

        var lookup = new NameLookup
        {
            Client = packet.Source,
            Asked = packet.Destination,
            Name = key.Name,
            Service = packet.DestinationPort,
            First = time,
            FirstPacket = packetNumber,
            Last = time,
        };
        _count++;
        _open[key] = lookup;
        ListOf(packet.Source).Add(lookup);
    }

    /// <summary>Takes in an answer, an error included.</summary>
    /// <param name="packet">The UDP packet.</param>
    /// <param name="name">The name that was asked for.</param>
    /// <param name="addresses">Addresses it gives.</param>
    /// <param name="time">When.</param>
    public void OnAnswer(in ParsedPacket packet, ReadOnlySpan<char> name, List<IpAddress> addresses, TraceTime time)
    {
        if (_open.Remove(Key(packet.Destination, packet.SourcePort, name), out NameLookup? lookup))
        {
            lookup.Answered = time;
            lookup.Addresses = addresses.Count > 0 ? [.. addresses] : null;
        }
    }

    /// <summary>Finds what each connection waited for.</summary>
    /// <param name="connections">The connections, in the order of their first packets.</param>
    public void Attribute(IReadOnlyList<Connection> connections)
    {
        var used = new HashSet<NameLookup>();
        foreach (Connection connection in connections)
        {
            if (connection.FromClient.HasSyn && _byClient.TryGetValue(connection.Client.Address, out List<NameLookup>? asked) && Find(asked, connection, used) is { } lookup)
            {
                used.Add(lookup);
                connection.Lookup = Delay(lookup, connection);
            }
        }
    }

    // Answers of mDNS go to everyone: there the name alone joins them to the query.
    static (IpAddress Client, ushort Service, string Name) Key(IpAddress client, ushort service, ReadOnlySpan<char> name) =>
        (service == MulticastDnsPort ? default : client, service, name.ToString());

    static NameLookup? Find(List<NameLookup> asked, Connection connection, HashSet<NameLookup> used)
    {
        NameLookup? best = null;
        foreach (NameLookup lookup in asked)
        {
            bool isBetter = best is null || lookup.First < best.First;
            if (isBetter && !used.Contains(lookup) && IsWaitedFor(lookup, connection))
            {
                best = lookup;
            }
        }

        return best;
    }

    static bool IsWaitedFor(NameLookup lookup, Connection connection)
    {
        TraceTime start = connection.Start;
        if (lookup.Answered is not { } answered || answered > start)
        {
            return lookup.Last <= start && start - lookup.Last <= MostPause;
        }

        return start - answered <= AnswerUse && lookup.Addresses?.Contains(connection.Server.Address) == true;
    }

    static LookupDelay Delay(NameLookup lookup, Connection connection)
    {
        bool isAnswered = lookup.Answered <= connection.Start;
        return new LookupDelay(
            connection.Start - lookup.First,
            lookup.Name,
            lookup.Service,
            lookup.Queries,
            isAnswered,
            lookup.Asked == connection.Server.Address || isAnswered,
            lookup.FirstPacket);
    }

    List<NameLookup> ListOf(IpAddress client)
    {
        if (!_byClient.TryGetValue(client, out List<NameLookup>? lookups))
        {
            _byClient[client] = lookups = [];
        }

        return lookups;
    }
}
