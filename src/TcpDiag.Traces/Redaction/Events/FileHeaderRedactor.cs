using System;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.Redaction.Events;

/// <summary>Redacts the log file header (docs/formats/etl.md, "Log file header"): numbers stay; the names of the time zone go, those of session and file get pseudonyms.</summary>
static class FileHeaderRedactor
{
    // 172 bytes, and 4 of padding.
    const int TimeZoneLength = 176;

    /// <summary>Redacts a header record.</summary>
    /// <param name="record">One that <see cref="EtlFileHeaderLayout.IsHeader"/> accepts.</param>
    /// <param name="payload">Its payload, changed.</param>
    /// <param name="names">Gives the pseudonyms.</param>
    /// <returns>All of it is kept.</returns>
    public static int Redact(in EtlRecord record, Span<byte> payload, Pseudonyms names)
    {
        int shorter = record.Is64Bit ? 0 : sizeof(uint);
        int timeZone = EtlFileHeaderLayout.FixedLength64 - EtlFileHeaderLayout.TailLength - (2 * shorter);
        payload.Slice(timeZone + sizeof(int), TimeZoneLength - sizeof(int)).Clear();
        names.ReplaceText16(payload[(timeZone + EtlFileHeaderLayout.TailLength)..]);
        return payload.Length;
    }
}
