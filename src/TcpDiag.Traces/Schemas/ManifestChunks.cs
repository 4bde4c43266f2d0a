using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.Schemas;

/// <summary>
/// Puts together the manifests that event sources log as event 65534, cut into chunks of at most 65,280 bytes
/// (docs/formats/etl.md, "Schemas inside the file"): u8 format, u8 major, u8 minor, u8 0x5B, u16 chunks in all, u16 index, text.
/// Chunks may come in any order; several processes may log the same provider at once.
/// </summary>
sealed class ManifestChunks
{
    const ushort EventId = 0xFFFE;
    const byte PlainText = 1;
    const byte Magic = 0x5B;
    const int HeadLength = 8;

    // Real manifests have one to four chunks. What never becomes whole may not pile up.
    const int MaxChunks = 64;
    const int MaxPendingBytes = 16 << 20;

    readonly Dictionary<(Guid, uint), byte[]?[]> _pending = [];
    int _pendingBytes;

    /// <summary>Takes in a record.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>The manifest that this record completes, in UTF-8, or null.</returns>
    public byte[]? Add(in EtlRecord record)
    {
        ReadOnlySpan<byte> payload = record.Payload;
        if (record.HeaderType != EtlHeaderType.Event || record.Id != EventId
            || payload.Length < HeadLength || payload[0] != PlainText || payload[3] != Magic)
        {
            return null;
        }

        int total = payload[4] | (payload[5] << 8);
        int index = payload[6] | (payload[7] << 8);
        ReadOnlySpan<byte> text = payload[HeadLength..];
        if (total > MaxChunks || index >= total)
        {
            return null;
        }

        return total == 1 ? text.ToArray() : Keep((record.Provider, record.ProcessId), total, index, text);
    }

    byte[]? Keep((Guid, uint) key, int total, int index, ReadOnlySpan<byte> text)
    {
        if (_pendingBytes + text.Length > MaxPendingBytes)
        {
            _pending.Clear();
            _pendingBytes = 0;
        }

        if (!_pending.TryGetValue(key, out byte[]?[]? chunks) || chunks.Length != total)
        {
            chunks = new byte[]?[total];
            _pending[key] = chunks;
        }

        chunks[index] = text.ToArray();
        _pendingBytes += text.Length;
        if (Array.Exists(chunks, chunk => chunk is null))
        {
            return null;
        }

        _pending.Remove(key);
        byte[] whole = [.. chunks.SelectMany(chunk => chunk!)];
        _pendingBytes = Math.Max(0, _pendingBytes - whole.Length);
        return whole;
    }
}
