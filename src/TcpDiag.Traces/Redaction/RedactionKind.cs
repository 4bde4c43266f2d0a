namespace TcpDiag.Traces.Redaction;

/// <summary>What a redaction replaces or removes.</summary>
public enum RedactionKind
{
    /// <summary>Bytes of packets behind the headers that are kept: removed.</summary>
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

    /// <summary>Names that somebody's own program has given its events and their fields: words of them replaced by others of the same length.</summary>
    EventNames,

    /// <summary>Security identifiers of users and machines: replaced.</summary>
    SecurityIds,

    /// <summary>GUIDs of activities, adapters and the like: replaced.</summary>
    Guids,

    /// <summary>Events whose layout is not known: their payload is removed, the header stays.</summary>
    UnknownEvents,

    /// <summary>Bytes of events of a known layout that nothing tells the meaning of: removed or zeroed.</summary>
    OpaqueEventBytes,

    /// <summary>Whole blocks of pcapng (secrets, custom, unknown): removed.</summary>
    Blocks,

    /// <summary>Options of pcapng blocks (hashes, custom, unknown): removed.</summary>
    Options,

    /// <summary>Files of a bundle that could not be understood: removed.</summary>
    Files,
}
