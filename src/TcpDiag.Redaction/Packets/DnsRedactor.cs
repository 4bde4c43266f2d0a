using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Packets;

/// <summary>
/// Redacts a message of DNS, mDNS, LLMNR or the NetBIOS name service in place (RFC 1035 §4, RFC 1002 §4.2): labels and addresses get pseudonyms; the
/// header, types and times to live stay; other data becomes zero. The analysis still finds how long a lookup took and which connection waited for it.
/// </summary>
sealed class DnsRedactor(Pseudonyms names)
{
    const int HeaderLength = 12;
    const int RecordFixedLength = 10; // type, class, time to live, length
    const int QuestionFixedLength = 4;
    const int LongestLabel = 63;
    const int PointerMark = 0xC0;
    const int MailExchange = 15;
    const int NameServer = 2;

    /// <summary>Returns how many leading bytes are kept; the caller cuts the rest.</summary>
    public int Redact(Span<byte> message, int wireLength)
    {
        const int shortestQuestion = 1 + QuestionFixedLength;
        int questions = message.Length < HeaderLength ? 0 : BinaryPrimitives.ReadUInt16BigEndian(message[4..]);
        if (wireLength < HeaderLength + (questions * shortestQuestion) || message.Length < HeaderLength)
        {
            return 0; // not a name service message: a text, for one, would count thousands of questions
        }

        int records = BinaryPrimitives.ReadUInt16BigEndian(message[6..])
            + BinaryPrimitives.ReadUInt16BigEndian(message[8..])
            + BinaryPrimitives.ReadUInt16BigEndian(message[10..]);
        int offset = HeaderLength;
        bool isRead = true;
        while (questions > 0 && isRead)
        {
            isRead = TryName(message, ref offset) && TryStep(message, QuestionFixedLength, ref offset);
            questions--;
        }

        while (records > 0 && isRead)
        {
            isRead = TryRecord(message, ref offset);
            records--;
        }

        return offset;
    }

    bool TryRecord(Span<byte> message, ref int offset)
    {
        if (!TryName(message, ref offset) || !TryStep(message, RecordFixedLength, ref offset))
        {
            return false;
        }

        ReadOnlySpan<byte> head = message[(offset - RecordFixedLength)..];
        int type = BinaryPrimitives.ReadUInt16BigEndian(head);
        int length = BinaryPrimitives.ReadUInt16BigEndian(head[8..]);
        int data = offset;
        if (!TryStep(message, length, ref offset))
        {
            return false;
        }

        RedactData(message[..offset], data, type);
        return true;
    }

    // The data of a record runs to the end of the span.
    void RedactData(Span<byte> message, int start, int type)
    {
        int length = message.Length - start;
        int kept = start;
        switch ((DnsRecordType)type, length)
        {
            case (DnsRecordType.A, 4) or (DnsRecordType.Aaaa, 16):
                names.ReplaceAddress(message[start..]);
                kept = message.Length;
                break;
            case (DnsRecordType.Nb, >= 6):
                names.ReplaceAddress(message.Slice(start + 2, 4));
                kept += 6;
                break;
            case (DnsRecordType.CName or DnsRecordType.Ptr or (DnsRecordType)NameServer, _):
                TryName(message, ref kept);
                break;
            case ((DnsRecordType)MailExchange, > 2):
                kept += 2;
                TryName(message, ref kept);
                break;
            default:
                break;
        }

        names.Counts.Add(RedactionKind.PayloadBytes, message.Length - kept);
        message[kept..].Clear();
    }

    // Leaves the offset behind the name, or behind what could be read of it. A pointer leads to labels that are redacted where they stand.
    bool TryName(Span<byte> message, ref int offset)
    {
        while (offset < message.Length)
        {
            int length = message[offset];
            if (length == 0)
            {
                offset++;
                return true;
            }

            if (length >= PointerMark)
            {
                return TryStep(message, 2, ref offset);
            }

            int label = offset + 1;
            if (length > LongestLabel || message.Length - label < length)
            {
                return false;
            }

            names.ReplaceLabel(message.Slice(label, length));
            offset = label + length;
        }

        return false;
    }

    static bool TryStep(Span<byte> message, int length, ref int offset)
    {
        bool fits = message.Length - offset >= length;
        offset += fits ? length : 0;
        return fits;
    }
}
