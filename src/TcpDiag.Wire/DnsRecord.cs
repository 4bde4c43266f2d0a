using System;

namespace TcpDiag.Wire;

/// <summary>A record of a DNS message, as a view on the message.</summary>
public readonly ref struct DnsRecord
{
    internal DnsRecord(int nameLength, DnsRecordType type, uint timeToLiveSeconds, ReadOnlySpan<byte> data)
    {
        NameLength = nameLength;
        Type = type;
        TimeToLiveSeconds = timeToLiveSeconds;
        Data = data;
    }

    /// <summary>Characters of the owner's name written to the caller's buffer.</summary>
    public int NameLength { get; }

    /// <summary>The record type.</summary>
    public DnsRecordType Type { get; }

    /// <summary>Time to live, seconds.</summary>
    public uint TimeToLiveSeconds { get; }

    /// <summary>The record's data, undecoded.</summary>
    public ReadOnlySpan<byte> Data { get; }

    /// <summary>The address of an A, AAAA or NB record.</summary>
    /// <param name="address">The address; of several in an NB record, the first.</param>
    /// <returns>False for other records, and for data of another length.</returns>
    public bool TryGetAddress(out IpAddress address)
    {
        ReadOnlySpan<byte> bytes = (Type, Data.Length) switch
        {
            (DnsRecordType.A, 4) or (DnsRecordType.Aaaa, 16) => Data,
            (DnsRecordType.Nb, >= 6) => Data.Slice(2, 4), // two bytes of flags, then the address (RFC 1002 §4.2.1.3)
            _ => default,
        };
        address = bytes.IsEmpty ? default : IpAddress.Read(bytes);
        return !bytes.IsEmpty;
    }
}
