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
    public const int MaximumNameLength = 256;

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

    /// <summary>Begins to read a message.</summary>
    /// <param name="message">The UDP payload, or what was captured of it.</param>
    /// <param name="reader">The reader.</param>
    /// <returns>False when there is not even a header.</returns>
    public static bool TryCreate(ReadOnlySpan<byte> message, out DnsReader reader)
    {
        reader = message.Length < HeaderLength ? default : new DnsReader(message);
        return message.Length >= HeaderLength;
    }

    /// <summary>Reads the next question.</summary>
    /// <param name="name">At least <see cref="MaximumNameLength"/> characters; receives the name without its final dot.</param>
    /// <param name="question">The question.</param>
    /// <returns>False when there is none left, or the message is cut or malformed.</returns>
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
    /// <param name="name">At least <see cref="MaximumNameLength"/> characters; receives the owner's name without its final dot.</param>
    /// <param name="record">The record.</param>
    /// <returns>False when there is none left, the questions are not read yet, or the message is cut or malformed.</returns>
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
