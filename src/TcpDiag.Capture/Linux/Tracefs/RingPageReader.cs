using System;
using System.Buffers.Binary;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// Walks over the events of one page of the kernel's trace ring buffer, as <c>trace_pipe_raw</c> gives it
/// (linux/ring_buffer.h, <c>events/header_page</c>, <c>events/header_event</c>): a time stamp, a word with length and flags,
/// then events with time differences. Little-endian kernels only. An inconsistent page ends the walk.
/// </summary>
ref struct RingPageReader
{
    // Flags in the commit word, kernel/trace/ring_buffer.c.
    const uint MissedEvents = 1u << 31;
    const uint MissedStored = 1u << 30;
    const uint LengthMask = (1u << 27) - 1;

    // Event header: 5 bits type or length, 27 bits time difference.
    const int TypeBits = 5;
    const int DeltaBits = 27;
    const int LongRecord = 0;
    const int Padding = 29;
    const int TimeExtend = 30;
    const int TimeStamp = 31;
    const int HeaderLength = 4;

    // A time stamp event holds 59 bits; the upper five come from the page.
    const int TimeStampBits = 59;

    readonly ReadOnlySpan<byte> _data;
    int _offset;

    public RingPageReader(ReadOnlySpan<byte> page, PageLayout layout)
    {
        if (page.Length < layout.DataOffset)
        {
            return;
        }

        TimeNanos = BinaryPrimitives.ReadInt64LittleEndian(page);
        uint commit = BinaryPrimitives.ReadUInt32LittleEndian(page[layout.CommitOffset..]);
        int length = (int)Math.Min(commit & LengthMask, (uint)(page.Length - layout.DataOffset));
        _data = page.Slice(layout.DataOffset, length);
        Missed = (commit & MissedEvents) == 0 ? 0 : ReadMissed(page[(layout.DataOffset + length)..], commit, layout.CommitSize);
    }

    /// <summary>Events lost just before this page; at least 1 where the kernel knows of a loss but not its size.</summary>
    public long Missed { get; }

    /// <summary>Time of the event read last, on the trace clock.</summary>
    public long TimeNanos { get; private set; }

    /// <summary>Reads the next event.</summary>
    /// <param name="payload">Its bytes, beginning with the common fields; a view on the page.</param>
    public bool TryRead(out ReadOnlySpan<byte> payload)
    {
        while (_offset <= _data.Length - HeaderLength)
        {
            uint header = BinaryPrimitives.ReadUInt32LittleEndian(_data[_offset..]);
            int type = (int)(header & ((1 << TypeBits) - 1));
            uint delta = header >> TypeBits;
            if (type is not (LongRecord or Padding or TimeExtend or TimeStamp))
            {
                TimeNanos += delta;
                return TryTake(HeaderLength, type * 4, out payload);
            }

            if (!TryReadSpecial(type, delta, out payload))
            {
                break;
            }

            if (type == LongRecord)
            {
                return true;
            }
        }

        _offset = _data.Length;
        payload = default;
        return false;
    }

    // Events whose header goes on with a second word.
    bool TryReadSpecial(int type, uint delta, out ReadOnlySpan<byte> payload)
    {
        payload = default;
        bool isEndOfPage = type == Padding && delta == 0;
        if (isEndOfPage || _offset > _data.Length - (2 * HeaderLength))
        {
            return false;
        }

        uint word = BinaryPrimitives.ReadUInt32LittleEndian(_data[(_offset + HeaderLength)..]);
        long extended = ((long)word << DeltaBits) + delta;
        TimeNanos = type switch
        {
            TimeExtend => TimeNanos + extended,
            TimeStamp => WithUpperBits(extended),
            _ => TimeNanos + delta,
        };
        return type is TimeExtend or TimeStamp
            ? TryTake(2 * HeaderLength, 0, out payload)
            : TryTake(2 * HeaderLength, (long)word - HeaderLength, out payload);
    }

    bool TryTake(int header, long length, out ReadOnlySpan<byte> payload)
    {
        if (length < 0 || length > _data.Length - _offset - header)
        {
            _offset = _data.Length;
            payload = default;
            return false;
        }

        payload = _data.Slice(_offset + header, (int)length);
        _offset += header + (((int)length + 3) & ~3);
        return true;
    }

    readonly long WithUpperBits(long stamp)
    {
        long upper = TimeNanos & (-1L << TimeStampBits);
        long full = upper | stamp;
        return full < TimeNanos ? full + (1L << TimeStampBits) : full;
    }

    static long ReadMissed(ReadOnlySpan<byte> behindEvents, uint commit, int size)
    {
        if ((commit & MissedStored) == 0 || behindEvents.Length < size)
        {
            return 1;
        }

        long count = size == 8
            ? BinaryPrimitives.ReadInt64LittleEndian(behindEvents)
            : BinaryPrimitives.ReadUInt32LittleEndian(behindEvents);
        return Math.Max(count, 1);
    }
}

/// <summary>Where a ring-buffer page keeps its header, from <c>events/header_page</c>.</summary>
/// <param name="CommitOffset">Offset of the length and flags.</param>
/// <param name="CommitSize">Bytes of that word, and of the count of lost events: the kernel's long.</param>
/// <param name="DataOffset">First byte of the events.</param>
readonly record struct PageLayout(int CommitOffset, int CommitSize, int DataOffset)
{
    /// <summary>Reads the layout.</summary>
    /// <param name="text">Text of <c>events/header_page</c>.</param>
    /// <param name="layout">The layout, or the default.</param>
    /// <returns>False when a field is missing or has a size we cannot read.</returns>
    public static bool TryParse(string text, out PageLayout layout)
    {
        layout = default;
        EventField? commit = null;
        EventField? data = null;
        foreach (string line in text.Split('\n', StringSplitOptions.TrimEntries))
        {
            if (EventFormat.TryParseField(line, out EventField? field) && field is not null)
            {
                commit = field.Name is "commit" ? field : commit;
                data = field.Name is "data" ? field : data;
            }
        }

        if (commit is not { Size: 4 or 8 } || data is null)
        {
            return false;
        }

        layout = new(commit.Offset, commit.Size, data.Offset);
        return data.Offset >= commit.Offset + commit.Size;
    }
}
