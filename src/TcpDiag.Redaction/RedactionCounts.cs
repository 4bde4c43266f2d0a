using System;

namespace TcpDiag.Redaction;

/// <summary>How much a redaction has replaced and removed.</summary>
public sealed class RedactionCounts
{
    readonly long[] _counts = new long[Enum.GetValues<RedactionKind>().Length];

    /// <summary>How often a kind was met; bytes for the kinds that count bytes.</summary>
    /// <param name="kind">The kind.</param>
    /// <returns>The number.</returns>
    public long this[RedactionKind kind] => _counts[(int)kind];

    internal void Add(RedactionKind kind, long count = 1) => _counts[(int)kind] += count;

    internal void Clear() => Array.Clear(_counts);
}

/// <summary>What a redaction replaces or removes.</summary>
public enum RedactionKind
{
    /// <summary>Bytes of packets behind the kept headers: removed.</summary>
    PayloadBytes,

    /// <summary>IPv4 addresses: mapped, prefixes and classes kept.</summary>
    Ipv4Addresses,

    /// <summary>IPv6 addresses: mapped, prefixes and classes kept.</summary>
    Ipv6Addresses,

    /// <summary>MAC addresses: replaced by locally administered ones.</summary>
    MacAddresses,

    /// <summary>Ports: mapped when asked for.</summary>
    Ports,

    /// <summary>Words of names, paths, command lines and other text: replaced by others of the same length.</summary>
    Words,

    /// <summary>Labels of domain names in DNS messages: replaced by others of the same length.</summary>
    DnsLabels,

    /// <summary>Names that a third-party program gave its events and their fields: words replaced by others of the same length.</summary>
    EventNames,

    /// <summary>Security identifiers of users and machines: replaced.</summary>
    SecurityIds,

    /// <summary>GUIDs of activities, adapters and the like: replaced.</summary>
    Guids,

    /// <summary>Events of unknown layout: the payload is removed, the header stays.</summary>
    UnknownEvents,

    /// <summary>Bytes of unknown meaning in events of a known layout: removed or zeroed.</summary>
    OpaqueEventBytes,

    /// <summary>Whole blocks of pcapng (secrets, custom, unknown): removed.</summary>
    Blocks,

    /// <summary>Options of pcapng blocks (hashes, custom, unknown): removed.</summary>
    Options,

    /// <summary>Files of a bundle that could not be understood: removed.</summary>
    Files,
}
