using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>
/// Reads a DNS message (RFC 1035 §4) from a UDP payload: also mDNS (RFC 6762), LLMNR (RFC 4795) and NetBIOS name
/// service (RFC 1002 §4.2), which share its form. Call <see cref="TryReadQuestion"/> until false, then
/// <see cref="TryReadRecord"/>. Names are bounded, and a compression pointer may only lead backwards.
/// </summary>
public ref struct DnsReader
{
    /// <summary>Characters a name buffer must have: more than the 253 a name can have.</summary>
    public const int MaxNameLength = 256;

    const int HeaderLength = 12;

    readonly ReadOnlySpan<byte> _message;
    int _offset;
    int _questionsLeft;
    int _recordsLeft;

    DnsReader(ReadOnlySpan<byte> message)
    {
        _message = message;
        _offset = HeaderLength;
        Id = BinaryPrimitives.ReadUInt16BigEndian(message);
        Flags = BinaryPrimitives.ReadUInt16BigEndian(message[2..]);
        _questionsLeft = BinaryPrimitives.ReadUInt16BigEndian(message[4..]);
        _recordsLeft = BinaryPrimitives.ReadUInt16BigEndian(message[6..]);
    }

    /// <summary>Identifier that joins query and response; 0 in mDNS.</summary>
    public ushort Id { get; }

    /// <summary>The flags word of the header.</summary>
    public ushort Flags { get; }

    /// <summary>Whether this is a response.</summary>
    public readonly bool IsResponse => (Flags & 0x8000) != 0;

    /// <summary>RCODE: 0 no error, 3 name does not exist (RFC 1035 §4.1.1).</summary>
    public readonly int ResponseCode => Flags & 0x000F;

    /// <summary>Starts reading a message.</summary>
    /// <param name="message">The UDP payload, or the captured part of it.</param>
    /// <param name="reader">The reader.</param>
    /// <returns>False when there is not even a header.</returns>
    public static bool TryCreate(ReadOnlySpan<byte> message, out DnsReader reader)
    {
        reader = message.Length < HeaderLength ? default : new DnsReader(message);
        return message.Length >= HeaderLength;
    }

    /// <summary>Reads the next question.</summary>
    /// <param name="name">At least <see cref="MaxNameLength"/> characters; receives the name without its final dot.</param>
    /// <param name="question">The question.</param>
    /// <returns>False when there is none left, or the message is truncated or malformed.</returns>
    public bool TryReadQuestion(scoped Span<char> name, out DnsQuestion question)
    {
        question = default;
        if (_questionsLeft == 0 || !DnsName.TryRead(_message, ref _offset, name, out int length) || _message.Length - _offset < 4)
        {
            _questionsLeft = 0;
            return false;
        }

        question = new(length, (DnsRecordType)BinaryPrimitives.ReadUInt16BigEndian(_message[_offset..]));
        _offset += 4;
        _questionsLeft--;
        return true;
    }

    /// <summary>Reads the next record of the answer section.</summary>
    /// <param name="name">At least <see cref="MaxNameLength"/> characters; receives the owner's name without its final dot.</param>
    /// <param name="record">The record.</param>
    /// <returns>False when there is none left, the questions are not read yet, or the message is truncated or malformed.</returns>
    public bool TryReadRecord(scoped Span<char> name, out DnsRecord record)
    {
        record = default;
        const int fixedLength = 10; // type, class, TTL, length
        bool isReady = _questionsLeft == 0 && _recordsLeft > 0;
        if (!isReady || !DnsName.TryRead(_message, ref _offset, name, out int length) || _message.Length - _offset < fixedLength)
        {
            _recordsLeft = 0;
            return false;
        }

        ReadOnlySpan<byte> header = _message[_offset..];
        int dataLength = BinaryPrimitives.ReadUInt16BigEndian(header[8..]);
        if (header.Length - fixedLength < dataLength)
        {
            _recordsLeft = 0;
            return false;
        }

        var type = (DnsRecordType)BinaryPrimitives.ReadUInt16BigEndian(header);
        uint timeToLive = BinaryPrimitives.ReadUInt32BigEndian(header[4..]);
        record = new(length, type, timeToLive, header.Slice(fixedLength, dataLength));
        _offset += fixedLength + dataLength;
        _recordsLeft--;
        return true;
    }
}

/// <summary>A question of a DNS message.</summary>
/// <param name="NameLength">Characters of the name written to the caller's buffer.</param>
/// <param name="Type">The record type asked for.</param>
public readonly record struct DnsQuestion(int NameLength, DnsRecordType Type);

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

/// <summary>The record types this library knows by name (IANA "DNS Resource Record TYPEs"); any 16-bit value may occur.</summary>
#pragma warning disable CA1028 // the message stores 16 bits
public enum DnsRecordType : ushort
#pragma warning restore CA1028
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>IPv4 address.</summary>
    A = 1,

    /// <summary>Canonical name.</summary>
    CName = 5,

    /// <summary>Null: the negative answer of the NetBIOS name service (RFC 1002 §4.2.14).</summary>
    Null = 10,

    /// <summary>Pointer to a name.</summary>
    Ptr = 12,

    /// <summary>IPv6 address.</summary>
    Aaaa = 28,

    /// <summary>NetBIOS name service: general name record (RFC 1002 §4.2.1.3).</summary>
    Nb = 32,

    /// <summary>NetBIOS name service: node status (RFC 1002 §4.2.17).</summary>
    NbStat = 33,

    /// <summary>Which names have no record of a type (RFC 6762 §6.1).</summary>
    Nsec = 47,

    /// <summary>How to reach a web server (RFC 9460).</summary>
    Https = 65,
}
