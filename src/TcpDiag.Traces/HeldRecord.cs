using System;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>A copy of a record that outlives the next read. Buffers are kept and grow to the largest record.</summary>
sealed class HeldRecord
{
    TraceRecordKind _kind;
    TraceTime _time;
    PacketCapture _capture;
    PacketSighting _sighting;
    StackEvent? _event;
    long _fileOffset;
    HeldBytes _data;
    HeldBytes _note;
    HeldBytes _options;

    public TraceTime Time => _time;

    /// <summary>Takes a copy. A stack event is not copied: its reader fills it anew only when it is read from again.</summary>
    public void CopyFrom(scoped in TraceRecord record)
    {
        _kind = record.Kind;
        _time = record.Time;
        _capture = record.Capture;
        _sighting = record.Sighting;
        _event = record.Event;
        _fileOffset = record.FileOffset;
        _data.Set(record.Data);
        _note.Set(record.Note);
        _options.Set(record.PcapngOptions);
    }

    /// <summary>Gives the copy out, as spans on its buffers that are valid until the next <see cref="CopyFrom"/>.</summary>
    public void CopyTo(ref TraceRecord record)
    {
        record.Kind = _kind;
        record.Time = _time;
        record.Capture = _capture;
        record.Sighting = _sighting;
        record.Event = _event;
        record.FileOffset = _fileOffset;
        record.Data = _data.Span;
        record.Note = _note.Span;
        record.PcapngOptions = _options.Span;
    }

    /// <summary>Sets the length that the capture of a packet left out: bytes of the frame, headers included.</summary>
    /// <returns>False, and nothing is changed, when more bytes than that were captured.</returns>
    public bool TryReconstructLength(int originalLength)
    {
        if (originalLength < _data.Span.Length)
        {
            return false;
        }

        _capture.OriginalLength = originalLength;
        _capture.IsLengthReconstructed = true;
        return true;
    }

    // Mutable on purpose: the buffer is kept from record to record.
    struct HeldBytes
    {
        byte[]? _buffer;
        int _length;

        public readonly ReadOnlySpan<byte> Span => _buffer.AsSpan(0, _length);

        public void Set(scoped ReadOnlySpan<byte> bytes)
        {
            _length = bytes.Length;
            if (_length > 0)
            {
                if (_buffer is null || _buffer.Length < _length)
                {
                    _buffer = new byte[Math.Max(256, 2 * _length)];
                }

                bytes.CopyTo(_buffer);
            }
        }
    }
}
