using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// Queries without an answer yet. A resolver that asks again, also another server, keeps the identifier (RFC 1035 §4.1.1): who asks has waited since the first.
/// </summary>
sealed class OpenQueries
{
    const int Capacity = 1 << 14; // a bound against a trace of made-up queries

    readonly Dictionary<Key, Query> _open = [];

    /// <summary>Takes in a query.</summary>
    /// <returns>It, or the one that it repeats, with how often that was sent.</returns>
    public Query OnQuery(in Key key, TraceTime time, long packetNumber)
    {
        bool isRepeated = _open.TryGetValue(key, out Query query) && time - query.Last <= ResolverTimeout.Of(key.Service).MaxNanos;
        query = isRepeated ? query with { Last = time, Count = query.Count + 1 } : new Query(time, packetNumber, time, Count: 1);
        bool canBeTold = key.Transaction.Id != 0; // mDNS has none (RFC 6762 §18.1)
        if (canBeTold && (isRepeated || _open.Count < Capacity))
        {
            _open[key] = query;
        }

        return query;
    }

    /// <summary>Forgets a query that is answered.</summary>
    public void OnAnswer(in Key key) => _open.Remove(key);

    /// <summary>What tells a query from others.</summary>
    /// <param name="Client">Who asks.</param>
    /// <param name="Service">UDP port of the service.</param>
    /// <param name="Name">The name asked for.</param>
    /// <param name="Transaction">Its identifier and type.</param>
    public readonly record struct Key(IpAddress Client, ushort Service, string Name, DnsTransaction Transaction);

    /// <summary>A query and its repetitions.</summary>
    /// <param name="First">When it was sent first.</param>
    /// <param name="FirstPacket">The packet of that, from 1.</param>
    /// <param name="Last">When it was sent last.</param>
    /// <param name="Count">How often it was sent.</param>
    public readonly record struct Query(TraceTime First, long FirstPacket, TraceTime Last, int Count);
}

/// <summary>What a query, its repetitions and its answer have in common beside the name.</summary>
/// <param name="Id">The identifier (RFC 1035 §4.1.1); 0 in mDNS.</param>
/// <param name="Type">The record type asked for.</param>
readonly record struct DnsTransaction(ushort Id, DnsRecordType Type);
