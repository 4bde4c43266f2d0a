using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>Names under which addresses were looked up in the trace, and how long that took: DNS, mDNS, LLMNR and NetBIOS.</summary>
sealed class NameTable
{
    /// <summary>UDP port of DNS (RFC 1035 §4.2.1).</summary>
    public const int DnsPort = 53;

    /// <summary>UDP port of the NetBIOS name service (RFC 1002 §4.2).</summary>
    public const int NetBiosPort = 137;

    /// <summary>UDP port of multicast DNS (RFC 6762 §3).</summary>
    public const int MulticastDnsPort = 5353;

    const int LlmnrPort = 5355;
    const int Capacity = 1 << 16; // a bound against a trace of made-up answers

    readonly Dictionary<IpAddress, string> _names = [];
    readonly List<IpAddress> _answer = [];

    public NameLookups Lookups { get; } = new();

    /// <summary>Whether a UDP packet is to or from a name service.</summary>
    public static bool IsNameService(in ParsedPacket packet) => IsNamePort(packet.SourcePort) || IsNamePort(packet.DestinationPort);

    public void OnMessage(in ParsedPacket packet, ReadOnlySpan<byte> message, TraceTime time, long packetNumber)
    {
        if (!DnsReader.TryCreate(message, out DnsReader reader))
        {
            return;
        }

        Span<char> asked = stackalloc char[DnsReader.MaxNameLength];
        DnsQuestion question = ReadFirstQuestion(ref reader, asked);
        if (!reader.IsResponse)
        {
            if (HostName.IsQuery(reader.Flags))
            {
                bool mayBeHost = HostName.MayBeHost(packet.DestinationPort, message, asked[..question.NameLength]);
                Lookups.OnQuery(packet, asked[..question.NameLength], new(reader.Id, question.Type), mayBeHost, time, packetNumber);
            }

            return;
        }

        OnResponse(packet, ref reader, asked[..question.NameLength], question.Type, time);
    }

    /// <summary>Names the servers of connections, and the lookups that the clients waited for.</summary>
    /// <param name="connections">The connections, in the order of their first packets.</param>
    public void Attribute(List<Connection> connections)
    {
        NameServers(connections);
        Lookups.Attribute(connections);
    }

    /// <summary>Names the servers of connections.</summary>
    public void NameServers(List<Connection> connections)
    {
        for (int i = 0; i < connections.Count; i++)
        {
            if (Find(connections[i].Server.Address) is { } name)
            {
                connections[i] = connections[i] with { ServerName = name };
            }
        }
    }

    void OnResponse(in ParsedPacket packet, ref DnsReader reader, scoped ReadOnlySpan<char> asked, DnsRecordType type, TraceTime time)
    {
        Span<char> owner = stackalloc char[DnsReader.MaxNameLength];
        _answer.Clear();
        while (reader.TryReadRecord(owner, out DnsRecord record))
        {
            // The name that was asked for, not its alias. NetBIOS and mDNS do not repeat the question: there it is the owner of the record.
            scoped ReadOnlySpan<char> name = asked.IsEmpty ? owner[..record.NameLength] : asked;
            if (record.TryGetAddress(out IpAddress address))
            {
                Add(address, name);
                _answer.Add(address);
            }

            if (asked.IsEmpty)
            {
                Lookups.OnAnswer(packet, name, new(reader.Id, record.Type), _answer, time);
                _answer.Clear();
            }
        }

        if (!asked.IsEmpty)
        {
            Lookups.OnAnswer(packet, asked, new(reader.Id, type), _answer, time);
        }
    }

    static DnsQuestion ReadFirstQuestion(ref DnsReader reader, scoped Span<char> asked)
    {
        Span<char> other = stackalloc char[DnsReader.MaxNameLength];
        DnsQuestion first = default;
        while (reader.TryReadQuestion(first.NameLength == 0 ? asked : other, out DnsQuestion question))
        {
            first = first.NameLength == 0 ? question : first;
        }

        return first;
    }

    /// <summary>The latest name of an address, as written in the message, or null.</summary>
    public string? Find(IpAddress address) => _names.GetValueOrDefault(address);

    void Add(IpAddress address, ReadOnlySpan<char> name)
    {
        bool isKnown = _names.TryGetValue(address, out string? known);
        bool isWanted = !name.IsEmpty && (isKnown || _names.Count < Capacity);
        if (isWanted && !name.SequenceEqual(known))
        {
            _names[address] = name.ToString();
            Lookups.OnName(address, _names[address]);
        }
    }

    static bool IsNamePort(ushort port) => port is DnsPort or NetBiosPort or MulticastDnsPort or LlmnrPort;
}
