using System;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>A copy of a record that outlives the next read. Buffers are kept and grow to the largest record.</summary>
sealed class HeldRecord
{
    TraceRecordKind _kind;
    TraceTime _time;
    int _interfaceIndex;
    LinkType _linkType;
    int _originalLength;
    bool _isLengthReconstructed;
    PacketDirection _direction;
    uint _processId;
    uint _threadId;
    ulong _packetId;
    ushort _packetNumber;
    ushort _appearance;
    bool _isRepeat;
    bool _isDropped;
    PacketDrop _drop;
    StackEvent? _event;
    long _fileOffset;
    HeldBytes _data;
    HeldBytes _note;
    HeldBytes _options;

    /// <summary>Time of the record, nanoseconds since the Unix epoch.</summary>
    public long Nanoseconds => _time.Nanoseconds;

    /// <summary>Takes a copy. A stack event is not copied: its reader fills it anew only when it is read from again.</summary>
    /// <param name="record">The record.</param>
    public void CopyFrom(scoped in TraceRecord record)
    {
        _kind = record.Kind;
        _time = record.Time;
        _interfaceIndex = record.InterfaceIndex;
        _linkType = record.LinkType;
        _originalLength = record.OriginalLength;
        _isLengthReconstructed = record.IsLengthReconstructed;
        _direction = record.Direction;
        _processId = record.ProcessId;
        _threadId = record.ThreadId;
        _packetId = record.PacketId;
        _packetNumber = record.PacketNumber;
        _appearance = record.Appearance;
        _isRepeat = record.IsRepeat;
        _isDropped = record.IsDropped;
        _drop = record.Drop;
        _event = record.Event;
        _fileOffset = record.FileOffset;
        _data.Set(record.Data);
        _note.Set(record.Note);
        _options.Set(record.PcapngOptions);
    }

    /// <summary>Gives the copy out, as spans on its buffers.</summary>
    /// <param name="record">Overwritten; valid until the next <see cref="CopyFrom"/>.</param>
    public void CopyTo(ref TraceRecord record)
    {
        record.Kind = _kind;
        record.Time = _time;
        record.InterfaceIndex = _interfaceIndex;
        record.LinkType = _linkType;
        record.OriginalLength = _originalLength;
        record.IsLengthReconstructed = _isLengthReconstructed;
        record.Direction = _direction;
        record.ProcessId = _processId;
        record.ThreadId = _threadId;
        record.PacketId = _packetId;
        record.PacketNumber = _packetNumber;
        record.Appearance = _appearance;
        record.IsRepeat = _isRepeat;
        record.IsDropped = _isDropped;
        record.Drop = _drop;
        record.Event = _event;
        record.FileOffset = _fileOffset;
        record.Data = _data.Span;
        record.Note = _note.Span;
        record.PcapngOptions = _options.Span;
    }

    /// <summary>Sets the length of a packet that its capture did not tell.</summary>
    /// <param name="originalLength">Bytes of the frame, headers included.</param>
    /// <returns>False, and nothing is changed, when more bytes than that were captured.</returns>
    public bool TryReconstructLength(int originalLength)
    {
        if (originalLength < _data.Span.Length)
        {
            return false;
        }

        _originalLength = originalLength;
        _isLengthReconstructed = true;
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
