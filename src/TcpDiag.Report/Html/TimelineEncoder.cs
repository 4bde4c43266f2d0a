using System;
using System.Buffers;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Report.Html;

/// <summary>
/// Writes a timeline for the page's script, docs/formats/html-data.md: a column after the other, each number as the
/// difference to what it is close to. Instants are microseconds from the start of the trace.
/// </summary>
sealed class TimelineEncoder(TraceTime start)
{
    const long NanosecondsPerMicrosecond = 1000;

    readonly LebWriter _writer = new();

    /// <summary>Encodes a connection.</summary>
    public static byte[] Encode(ConnectionTimeline timeline, TraceTime start)
    {
        var encoder = new TimelineEncoder(start);
        encoder.Write(timeline.FromClient);
        encoder.Write(timeline.FromServer);
        return encoder._writer.Written.ToArray();
    }

    void Write(DirectionTimeline direction)
    {
        Write(direction.Sent.Items);
        Write(direction.Acked.Items);
        Write(direction.ReceiveWindow.Items);
        Write(direction.InFlight.Items);
        Write(direction.Rtt.Items, NanosecondsPerMicrosecond);
        Write(direction.Srtt.Items, NanosecondsPerMicrosecond);
        Write(direction.Marks.Items);
        Write(direction.Sacks.Items);
        Write(direction.Limits.Items);
        _writer.Unsigned(direction.Stack is null ? 0 : 1);
        if (direction.Stack is { } stack)
        {
            Write(stack.Cwnd.Items);
            Write(stack.Ssthresh.Items);
            Write(stack.Srtt.Items, NanosecondsPerMicrosecond);
            Write(stack.Events.Items);
        }
    }

    void Write(ReadOnlySpan<TrackPoint> points, long unit = 1)
    {
        _writer.Unsigned(points.Length);
        Times(points);
        foreach (ref readonly TrackPoint point in points)
        {
            _writer.Unsigned(Microseconds(point.Time + point.Span) - Microseconds(point.Time));
        }

        long last = 0;
        foreach (ref readonly TrackPoint point in points)
        {
            _writer.Signed((point.First / unit) - last);
            last = point.Last / unit;
        }

        foreach (ref readonly TrackPoint point in points)
        {
            _writer.Signed((point.Last / unit) - (point.First / unit));
        }

        foreach (ref readonly TrackPoint point in points)
        {
            _writer.Unsigned((long.Min(point.First, point.Last) / unit) - (point.Min / unit));
        }

        foreach (ref readonly TrackPoint point in points)
        {
            _writer.Unsigned((point.Max / unit) - (long.Max(point.First, point.Last) / unit));
        }
    }

    void Write(ReadOnlySpan<Mark> marks)
    {
        _writer.Unsigned(marks.Length);
        Times(marks);
        foreach (ref readonly Mark mark in marks)
        {
            _writer.Unsigned((long)mark.Kind);
        }

        foreach (ref readonly Mark mark in marks)
        {
            _writer.Unsigned((long)mark.Event);
        }

        long from = 0;
        foreach (ref readonly Mark mark in marks)
        {
            _writer.Signed(mark.From - from);
            from = mark.From;
        }

        foreach (ref readonly Mark mark in marks)
        {
            _writer.Unsigned(mark.To - mark.From);
        }

        long packet = 0;
        foreach (ref readonly Mark mark in marks)
        {
            _writer.Signed(mark.Packet - packet);
            packet = mark.Packet;
        }

        foreach (ref readonly Mark mark in marks)
        {
            _writer.Unsigned(mark.Count);
        }

        foreach (ref readonly Mark mark in marks)
        {
            _writer.Unsigned(mark.Needless);
        }
    }

    // Each interval begins where the one before ends; ends are rounded, not durations, so that no error adds up.
    void Write(ReadOnlySpan<LimitInterval> limits)
    {
        _writer.Unsigned(limits.Length);
        if (limits.IsEmpty)
        {
            return;
        }

        long end = limits[0].Time;
        _writer.Signed(Microseconds(end));
        foreach (ref readonly LimitInterval limit in limits)
        {
            long begin = end;
            end += limit.Duration;
            _writer.Unsigned(Microseconds(end) - Microseconds(begin));
        }

        foreach (ref readonly LimitInterval limit in limits)
        {
            _writer.Unsigned((long)limit.State);
        }
    }

    void Times<T>(ReadOnlySpan<T> items)
        where T : struct, IMergeable<T>
    {
        long before = 0;
        foreach (ref readonly T item in items)
        {
            long time = Microseconds(item.Time);
            _writer.Signed(time - before);
            before = time;
        }
    }

    long Microseconds(long time) => Math.DivRem(time - start.Nanoseconds, NanosecondsPerMicrosecond).Quotient;
}

/// <summary>Writes numbers of 7 bits a byte, the lowest first (LEB128): what the page's script reads.</summary>
sealed class LebWriter
{
    readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.WrittenSpan;

    /// <summary>Writes a number that is never negative.</summary>
    /// <param name="value">The number; a negative one is written as 0.</param>
    public void Unsigned(long value)
    {
        const int maxBytes = 10;
        Span<byte> target = _bytes.GetSpan(maxBytes);
        ulong rest = (ulong)long.Max(value, 0);
        int length = 0;
        while (rest >= 0x80)
        {
            target[length++] = (byte)(rest | 0x80);
            rest >>= 7;
        }

        target[length++] = (byte)rest;
        _bytes.Advance(length);
    }

    /// <summary>Writes a number with its sign in the lowest bit.</summary>
    public void Signed(long value) => Unsigned((value << 1) ^ (value >> 63));
}
