using System;
using System.Buffers.Binary;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>
/// struct tcp_info (linux/tcp.h) as a view. Kernels only ever append to it, so its length decides what can be read:
/// a field behind its end is absent.
/// </summary>
readonly ref struct TcpInfo(ReadOnlySpan<byte> bytes)
{
    const int SndMssOffset = 16;
    const int UnackedOffset = 24;
    const int SackedOffset = 28;
    const int LostOffset = 32;
    const int RetransOffset = 36;
    const int SndSsthreshOffset = 76;
    const int SndCwndOffset = 80;
    const int AppLimitedOffset = 7;
    const long InfiniteThreshold = int.MaxValue;
    const long MicrosecondsPerMillisecond = 1000;

    // A rate that is not limited is all ones.
    const long Unlimited = -1;

    // Offset, bytes, field of the vocabulary. Units are the vocabulary's already.
    static readonly (int Offset, int Size, StackField Field)[] Counters =
    [
        (1, 1, StackField.CongestionState),
        (2, 1, StackField.RexmitCount),
        (SackedOffset, 4, StackField.SackedSegments),
        (LostOffset, 4, StackField.LostSegments),
        (RetransOffset, 4, StackField.RetransmittedInFlight),
        (68, 4, StackField.Srtt),
        (72, 4, StackField.RttVar),
        (88, 4, StackField.ReorderingSegments),
        (92, 4, StackField.RcvRtt),
        (100, 4, StackField.SegmentsRetransmitted),
        (104, 8, StackField.PacingRate),
        (128, 8, StackField.DataBytesIn),
        (144, 4, StackField.SendAvailable),
        (152, 4, StackField.DataSegmentsIn),
        (156, 4, StackField.DataSegmentsOut),
        (160, 8, StackField.DeliveryRate),
        (168, 8, StackField.BusyTimeUs),
        (176, 8, StackField.RcvWndLimitedUs),
        (184, 8, StackField.SndBufLimitedUs),
        (192, 4, StackField.DeliveredSegments),
        (200, 8, StackField.DataBytesOut),
        (208, 8, StackField.BytesRetransmitted),
        (216, 4, StackField.DsackCount),
        (220, 4, StackField.ReorderingEvents),
        (228, 4, StackField.SndWnd),
        (232, 4, StackField.RcvWnd),
        (240, 2, StackField.Timeouts),
    ];

    readonly ReadOnlySpan<byte> _bytes = bytes;

    public bool IsEmpty => _bytes.IsEmpty;

    /// <summary>Maximum segment size for sending, bytes; 0 when not known.</summary>
    public uint SndMss => TryRead(SndMssOffset, 4, out long mss) ? (uint)mss : 0;

    /// <summary>Adds the known fields to an event.</summary>
    public void CopyTo(StackEvent target)
    {
        foreach ((int offset, int size, StackField field) in Counters)
        {
            if (TryRead(offset, size, out long value) && value != Unlimited)
            {
                target.Set(field, value);
            }
        }

        SetWindows(target);
        SetTimes(target);
        if (TryRead(AppLimitedOffset, 1, out long flags))
        {
            target.Set(StackField.AppLimited, flags & 1);
        }
    }

    void SetWindows(StackEvent target)
    {
        uint mss = SndMss;
        if (!TryRead(SndCwndOffset, 4, out long cwnd) || !TryRead(SndSsthreshOffset, 4, out long ssthresh))
        {
            return;
        }

        target.Set(StackField.CwndSegments, cwnd);
        if (ssthresh < InfiniteThreshold)
        {
            target.Set(StackField.SsthreshSegments, ssthresh);
        }

        // RFC 6675's pipe as the kernel counts it: tcp_packets_in_flight().
        _ = TryRead(UnackedOffset, 4, out long unacked);
        _ = TryRead(SackedOffset, 4, out long sacked);
        _ = TryRead(LostOffset, 4, out long lost);
        _ = TryRead(RetransOffset, 4, out long retransmitted);
        target.Set(StackField.BytesInFlight, Math.Max(unacked - sacked - lost + retransmitted, 0) * mss);
        SegmentWindows.Scale(target, mss);
    }

    void SetTimes(StackEvent target)
    {
        if (TryRead(8, 4, out long rto))
        {
            target.Set(StackField.Rto, rto / MicrosecondsPerMillisecond);
        }

        // All ones until a sample was taken.
        if (TryRead(148, 4, out long minRtt) && minRtt != uint.MaxValue)
        {
            target.Set(StackField.MinRtt, minRtt);
        }
    }

    bool TryRead(int offset, int size, out long value)
    {
        value = 0;
        if (offset > _bytes.Length - size)
        {
            return false;
        }

        ReadOnlySpan<byte> field = _bytes[offset..];
        value = size switch
        {
            1 => field[0],
            2 => BinaryPrimitives.ReadUInt16LittleEndian(field),
            4 => BinaryPrimitives.ReadUInt32LittleEndian(field),
            _ => BinaryPrimitives.ReadInt64LittleEndian(field),
        };
        return true;
    }
}

/// <summary>Linux counts windows in segments; with the MSS of the connection they become bytes, the vocabulary's unit.</summary>
static class SegmentWindows
{
    /// <summary>Adds the windows in bytes beside those in segments.</summary>
    /// <param name="target">The event.</param>
    /// <param name="mss">Largest payload of a segment, bytes; 0 when it is not known, and nothing is added.</param>
    public static void Scale(StackEvent target, uint mss)
    {
        if (mss == 0)
        {
            return;
        }

        target.Set(StackField.Mss, mss);
        if (target.TryGet(StackField.CwndSegments, out long cwnd))
        {
            target.Set(StackField.Cwnd, cwnd * mss);
        }

        if (target.TryGet(StackField.SsthreshSegments, out long ssthresh))
        {
            target.Set(StackField.Ssthresh, ssthresh * mss);
        }
    }
}
