using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>Names under which addresses were looked up in the trace: DNS, mDNS, LLMNR and NetBIOS answers.</summary>
sealed class NameTable
{
    const int DnsPort = 53;
    const int NetBiosPort = 137;
    const int MulticastDnsPort = 5353;
    const int LlmnrPort = 5355;
    const int Capacity = 1 << 16; // a bound against a trace of made-up answers

    readonly Dictionary<IpAddress, string> _names = [];

    /// <summary>Whether a UDP packet may carry names.</summary>
    /// <param name="packet">A UDP packet.</param>
    /// <returns>True for the ports of name services.</returns>
    public static bool IsNameService(in ParsedPacket packet) => IsNamePort(packet.SourcePort) || IsNamePort(packet.DestinationPort);

    /// <summary>Takes in the answers of a message.</summary>
    /// <param name="message">The UDP payload.</param>
    public void OnMessage(ReadOnlySpan<byte> message)
    {
        if (!DnsReader.TryCreate(message, out DnsReader reader) || !reader.IsResponse)
        {
            return;
        }

        Span<char> asked = stackalloc char[DnsReader.MaximumNameLength];
        Span<char> owner = stackalloc char[DnsReader.MaximumNameLength];
        int askedLength = 0;
        while (reader.TryReadQuestion(owner, out DnsQuestion question))
        {
            if (askedLength == 0)
            {
                owner[..question.NameLength].CopyTo(asked);
                askedLength = question.NameLength;
            }
        }

        while (reader.TryReadRecord(owner, out DnsRecord record))
        {
            if (record.TryGetAddress(out IpAddress address))
            {
                // The name asked for, not the alias it led to.
                Add(address, askedLength > 0 ? asked[..askedLength] : owner[..record.NameLength]);
            }
        }
    }

    /// <summary>The latest name of an address.</summary>
    /// <param name="address">The address.</param>
    /// <returns>The name as it stood in the message, or null.</returns>
    public string? Find(IpAddress address) => _names.GetValueOrDefault(address);

    void Add(IpAddress address, ReadOnlySpan<char> name)
    {
        bool isKnown = _names.TryGetValue(address, out string? known);
        bool isWanted = !name.IsEmpty && (isKnown || _names.Count < Capacity);
        if (isWanted && !name.SequenceEqual(known))
        {
            _names[address] = name.ToString();
        }
    }

    static bool IsNamePort(ushort port) => port is DnsPort or NetBiosPort or MulticastDnsPort or LlmnrPort;
}
