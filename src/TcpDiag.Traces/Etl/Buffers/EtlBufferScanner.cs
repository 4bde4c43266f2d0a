using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Traces.Etl.Compression;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl.Buffers;

/// <summary>
/// Steps from buffer header to buffer header and notes where each buffer is and when it begins. Where a header cannot be
/// true, it looks for the next convincing one, so that one damaged buffer does not hide those after it
/// (docs/formats/etl.md, "Damage").
/// </summary>
sealed class EtlBufferScanner
{
    /// <summary>Maximum of buffers of one file; of 64 KB each they make 64 GB. Bounds the memory that a hostile file can claim.</summary>
    const int MaxBuffers = 1 << 20;

    // Enough for a buffer header and, compressed or not, the longest record header after it.
    const int PrefixLength = 512;

    // A few bytes can claim to decompress to anything: no buffer is longer than the session's were, or than 1 MB where their size is unknown.
    const uint MinResultLimit = 1 << 20;

    readonly TraceInput _input;
    readonly EtlProblemLog _problems;
    readonly long _length;
    readonly uint _sessionBufferSize;
    readonly EtlResync _resync;
    readonly byte[] _prefix = new byte[PrefixLength];
    readonly byte[] _start = new byte[PrefixLength];
    readonly Dictionary<ushort, long> _lastTicks = [];
    readonly List<EtlBufferEntry> _entries = [];

    // Where the last search led, and what it need not search again: two refused buffers must not lead to each other forever.
    long _ledTo = -1;
    long _searchedTo = 1;

    /// <summary>Creates the scanner.</summary>
    internal EtlBufferScanner(TraceInput input, long length, uint sessionBufferSize, EtlProblemLog problems)
    {
        _input = input;
        _length = length;
        _sessionBufferSize = sessionBufferSize;
        _resync = new EtlResync(input, length);
        _problems = problems;
    }

    /// <summary>Finds all buffers.</summary>
    internal List<EtlBufferEntry> Scan()
    {
        long offset = 0;
        while (offset >= 0 && offset < _length)
        {
            if (_entries.Count == MaxBuffers)
            {
                _problems.Add(offset, Invariant($"expected at most {MaxBuffers} buffers, found more; the rest is not read"));
                break;
            }

            offset = ScanBuffer(offset);
        }

        return _entries;
    }

    // Returns where to go on, or a negative number at the end.
    long ScanBuffer(long offset)
    {
        ReadOnlySpan<byte> prefix = _prefix.AsSpan(0, _input.ReadAt(offset, _prefix));
        if (prefix.Length < EtlBufferHeader.Length)
        {
            if (!_resync.IsZeroToTheEnd(offset))
            {
                _problems.Add(offset, Invariant($"expected a buffer header of {EtlBufferHeader.Length} bytes, found {prefix.Length}"));
            }

            return -1;
        }

        var header = EtlBufferHeader.Read(prefix);
        if (header.BufferSize == 0 && _resync.IsZeroToTheEnd(offset))
        {
            return -1;
        }

        if (!header.HasPlausibleLengths || (header.IsCompressed && header.FilledBytes > Math.Max(_sessionBufferSize, MinResultLimit)))
        {
            return Resync(offset, isRefused: true, Invariant($"found size 0x{header.BufferSize:x} and end of records 0x{header.FilledBytes:x}"));
        }

        long stored = Math.Min(BelievableSize(offset, header), _length - offset);
        Add(offset, (int)stored, header, prefix[EtlBufferHeader.Length..]);
        if (stored == header.BufferSize)
        {
            return offset + stored;
        }

        return Resync(
            offset + stored,
            isRefused: false,
            Invariant($"found a buffer of 0x{header.BufferSize:x} bytes at 0x{offset:x} that runs over the next one or the end"));
    }

    // A session writes buffers of one size. A longer one is believed unless a buffer begins where it should end.
    long BelievableSize(long offset, in EtlBufferHeader header)
    {
        if (header.IsCompressed || header.BufferSize <= _sessionBufferSize || header.FilledBytes > _sessionBufferSize)
        {
            return header.BufferSize;
        }

        Span<byte> next = stackalloc byte[EtlBufferHeader.Length];
        bool isBuffer = _input.ReadAt(offset + _sessionBufferSize, next) == next.Length && EtlBufferHeader.Read(next).IsConvincing;
        return isBuffer ? _sessionBufferSize : header.BufferSize;
    }

    void Add(long offset, int stored, in EtlBufferHeader header, ReadOnlySpan<byte> body)
    {
        int filled = header.IsCompressed ? (int)header.FilledBytes : Math.Min((int)header.FilledBytes, stored);
        if (header.IsCompressed)
        {
            Span<byte> start = _start;
            body = start[..XpressDecoder.Decode(body, start[..Math.Min(start.Length, filled - EtlBufferHeader.Length)])];
        }

        if (!TryFindTicks(body, out long firstTicks))
        {
            // Buffers of one processor are in time order, so the one before is early enough.
            firstTicks = _lastTicks.GetValueOrDefault(header.Processor);
        }

        _lastTicks[header.Processor] = firstTicks;
        _entries.Add(new EtlBufferEntry(
            offset, firstTicks, header.SequenceNumber, stored, filled, header.Processor, header.IsCompressed));
    }

    // The first record may be of a family without time stamps.
    static bool TryFindTicks(ReadOnlySpan<byte> body, out long ticks)
    {
        int size;
        while (!EtlRecordLayout.TryReadTicks(body, out ticks))
        {
            size = body.Length >= 8 ? EtlRecordLayout.SizeOf(body) : 0;
            if (size == 0)
            {
                return false;
            }

            body = body[Math.Min(body.Length, EtlRecordLayout.Align8(size))..];
        }

        return true;
    }

    // The lengths of the buffer before may be what is wrong, so the search begins where its records end. Refused: the
    // offset itself was examined already.
    long Resync(long offset, bool isRefused, string found)
    {
        long from = offset;
        if (_entries.Count > 0)
        {
            EtlBufferEntry last = _entries[^1];
            from = last.Offset + (last.IsCompressed ? EtlBufferHeader.Length : last.FilledBytes);
        }

        if (isRefused && offset == _ledTo)
        {
            _searchedTo = offset + 1;
        }

        long next = _resync.FindBuffer(Math.Max(from, _searchedTo));
        if (next == offset && isRefused)
        {
            next = _resync.FindBuffer(offset + 1);
        }

        _ledTo = next;
        string then = next < 0 ? "no buffer follows" : Invariant($"continued at 0x{next:x}");
        _problems.Add(offset, Invariant($"expected a buffer header, {found}; {then}"));
        return next;
    }

    static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
