using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Capture.Linux.Native;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>The pcapng file of a recording: packets, and stack events as journal entries. It may go on in further pieces, each a file of its own.</summary>
sealed class RecordingFile : IRecordWriter, IDisposable
{
    readonly PcapngWriterOptions _options;
    readonly ISegments _segments;
    readonly List<TraceInterface> _interfaces = [];
    readonly long _maxBytes;
    PcapngWriter _writer;
    bool _hasRotated;

    /// <summary>Begins the file.</summary>
    /// <param name="open">Opens where it goes, closed with the file; of a split recording each piece, closed before the next.</param>
    /// <param name="settings">What is recorded.</param>
    /// <param name="comment">Facts about the machine.</param>
    /// <exception cref="CaptureException">The folder of a ring is in use.</exception>
    public RecordingFile(Func<Stream> open, CaptureSettings settings, string comment)
    {
        _maxBytes = settings.MaxBytes;
        _options = new()
        {
            OperatingSystem = SystemReport.OperatingSystem(),
            Application = "tcpdiag",
            Comment = comment,
            SnapLength = settings.SnapLength,
        };
        _segments = settings.IsRing ? new SegmentRing(settings, open)
            : settings.IsSplit ? new SegmentSplit(settings, open)
            : new SegmentSingle(open);
        _writer = new(_segments.Open(), _options);
        _segments.Begin(Libc.Now(Libc.ClockRealtime), _writer.Length, previousBytes: 0);
    }

    /// <summary>Bytes written so far; of a ring, to its latest piece.</summary>
    public long Length => _writer.Length + _segments.CompleteBytes;

    /// <summary>Bytes that closing writes once more, on the same disk.</summary>
    public long BytesToCollect => _segments.BytesToCollect + (_segments.EndsAtSize ? 0 : _writer.Length);

    /// <summary>Whether the file has its size. A ring never has.</summary>
    public bool IsFull => _segments.EndsAtSize && Length >= _maxBytes;

    /// <summary>From when on a ring that has given something up still knows, nanoseconds of the realtime clock; null when all is there.</summary>
    public long? KeptFrom => _segments.KeptFrom;

    /// <summary>The interfaces described so far, by their numbers.</summary>
    public IReadOnlyList<TraceInterface> Interfaces => _interfaces;

    /// <summary>Describes an interface.</summary>
    /// <param name="description">What is known of it.</param>
    /// <returns>Its number in the file.</returns>
    public int AddInterface(TraceInterface description)
    {
        _interfaces.Add(description);
        return _writer.WriteInterface(description);
    }

    /// <summary>Whether the recording has begun a new piece since this was asked last: what was said once must be said again.</summary>
    /// <returns>True when it has.</returns>
    public bool TakeRotated()
    {
        bool rotated = _hasRotated;
        _hasRotated = false;
        return rotated;
    }

    /// <inheritdoc/>
    public void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
    {
        if (_segments.IsDue(time.Nanoseconds, _writer.Length))
        {
            Rotate(time);
        }

        if (record.IsEvent)
        {
            _writer.WriteJournalEntry(data);
            return;
        }

        var packet = new TraceRecord
        {
            Kind = TraceRecordKind.Packet,
            Time = time,
            Data = data,
            InterfaceIndex = record.InterfaceId,
            OriginalLength = record.OriginalLength,
            Direction = record.Direction,
        };
        _writer.WritePacket(in packet);
    }

    /// <summary>Writes what was counted at an interface.</summary>
    /// <param name="id">Its number in the file.</param>
    /// <param name="time">When it was counted.</param>
    /// <param name="received">Packets taken in and lost.</param>
    /// <param name="dropped">Packets lost.</param>
    public void WriteStatistics(int id, TraceTime time, long received, long dropped) =>
        _writer.WriteInterfaceStatistics(id, time, received, dropped);

    /// <summary>Hands what was written so far to the file: who reads it now, or after a crash, finds it there.</summary>
    public void Flush() => _writer.Flush();

    /// <inheritdoc/>
    public void Dispose()
    {
        _writer.Dispose();
        _segments.Finish();
    }

    void Rotate(TraceTime time)
    {
        _writer.Dispose();
        long previous = _writer.Length;
        _writer = new(_segments.Open(), _options);
        foreach (TraceInterface description in _interfaces)
        {
            _writer.WriteInterface(description);
        }

        _segments.Begin(time.Nanoseconds, _writer.Length, previous);
        _hasRotated = true;
    }
}
