using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Receiver;

/// <summary>What one end of a connection says of the data it receives: windows, duplicate acknowledgments, SACK blocks.</summary>
struct ReceiveState
{
    /// <summary>The window it grants.</summary>
    public ReceiveWindow Window;

    /// <summary>Duplicate acknowledgments (RFC 5681 §2).</summary>
    public int DuplicateAcks { get; private set; }

    /// <summary>DSACKs (RFC 2883 §4).</summary>
    public int Dsacks { get; private set; }

    /// <summary>Packets for which the tshark filter tcp.options.sack_le &lt; tcp.ack holds.</summary>
    public int DsacksTsharkFilter { get; private set; }

    /// <summary>Whether it sent SACK blocks.</summary>
    public bool HasSackBlocks { get; private set; }

    /// <summary>Counts a duplicate acknowledgment.</summary>
    public void CountDuplicateAck() => DuplicateAcks++;

    /// <summary>Counts an acknowledgment with SACK blocks.</summary>
    /// <param name="isDsack">Whether it is a DSACK.</param>
    /// <param name="isBelowAck">Whether a block begins below the acknowledgment number.</param>
    public void CountSack(bool isDsack, bool isBelowAck)
    {
        HasSackBlocks = true;
        Dsacks += isDsack ? 1 : 0;
        DsacksTsharkFilter += isBelowAck ? 1 : 0;
    }
}

/// <summary>The receive window one end grants the other (RFC 9293 §3.8.6, RFC 7323 §2).</summary>
struct ReceiveWindow
{
    uint _max;
    uint _min;
    ushort _latest;
    ushort _fullAt; // the latest window that was full by the scale that fits
    byte _shift; // while the scale is not known: the least that fits what was in flight
    byte _timesFit;
    bool _isKnown;
    bool _isTight; // by the least scale that fits, it was full to a segment once

    /// <summary>The largest shift of a window (RFC 7323 §2.3).</summary>
    public const int MaxShift = 14;

    /// <summary>Window in the latest segment, as it stands in the header.</summary>
    public readonly ushort Unscaled => _latest;

    /// <summary>Whether its scale is known: both SYNs were seen, windows were full by one scale so that it shows, or the sender's stack told it.</summary>
    public readonly bool IsScaleKnown => _isKnown;

    /// <summary>
    /// Whether it may have been full. By the least scale that fits what was in flight it was not, where there was always room for a segment and more, and by a
    /// larger one still less.
    /// </summary>
    public readonly bool MayHaveBeenFull => _isKnown || _isTight;

    /// <summary>The latest window, bytes; valid while <see cref="IsScaleKnown"/>.</summary>
    public readonly int Bytes => _latest << _shift;

    /// <summary>The largest the latest window can be, bytes.</summary>
    public readonly long MaxBytes => (long)_latest << (_isKnown ? _shift : MaxShift);

    /// <summary>Largest window granted, bytes; 0 while none is known.</summary>
    public readonly uint Max => _max;

    /// <summary>Smallest window granted, bytes; null while none is known.</summary>
    public readonly uint? Min => _max >= _min ? _min : null;

    /// <summary>Segments with window 0.</summary>
    public int ZeroWindows { get; private set; }

    /// <summary>Begins with no window known.</summary>
    public void Begin() => _min = uint.MaxValue;

    /// <summary>The shift its SYN offers (RFC 7323 §2.2); what is larger than allowed counts as the largest.</summary>
    public void Offer(byte shift) => _shift = Math.Min(shift, (byte)MaxShift);

    /// <summary>Both SYNs were seen.</summary>
    /// <param name="isScaled">Whether both offered a shift.</param>
    public void Settle(bool isScaled)
    {
        _shift = isScaled ? _shift : (byte)0;
        _isKnown = true;
    }

    /// <summary>Takes in the window of an acknowledgment.</summary>
    /// <param name="packet">The segment.</param>
    /// <param name="effect">Gets the window.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(in ParsedPacket packet, ref AckEffect effect)
    {
        if ((packet.Flags & (TcpFlags.Syn | TcpFlags.Fin)) != 0)
        {
            return;
        }

        ZeroWindows += packet.Window == 0 ? 1 : 0;
        if (_isKnown)
        {
            uint window = (uint)packet.Window << _shift;
            effect.Window = window;
            effect.Marks |= AckMarks.WindowKnown;
            _max = Math.Max(_max, window);
            _min = Math.Min(_min, window);
        }
        else
        {
            effect.Window = packet.Window; // at any scale it shows whether the window is closed
            effect.Marks |= AckMarks.WindowUnscaled;
        }
    }

    /// <summary>
    /// Takes in what is in flight to this end, while the SYNs are not known. No sender goes beyond the window (RFC 9293 §3.8.6), so a scale that is too small
    /// shows. One by which windows of several sizes were full to a segment is the one; and so is one by which the window was full to the byte where no other
    /// measure ends: a segment was cut to fit it.
    /// </summary>
    /// <param name="inFlight">Bytes in flight after a send.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    public void OnFlight(int inFlight, int mss)
    {
        if (_latest == 0)
        {
            return;
        }

        while (_shift < MaxShift && inFlight > _latest << _shift)
        {
            _shift++;
            _timesFit = 0;
            _isTight = false;
        }

        int room = (_latest << _shift) - inFlight;
        _isTight |= room >= 0 && room < mss;
        bool isOther = Math.Abs(_latest - _fullAt) << _shift >= mss; // what is always as much in flight cannot fill both
        if (room >= 0 && room < mss && (isOther || (room == 0 && IsEndOfItsOwn(inFlight, mss))))
        {
            _fullAt = _latest;
            _isKnown = ++_timesFit >= Thresholds.MinFullWindows;
        }
    }

    // A congestion window ends with a full segment; send buffers and what programs write often are of so many kilobytes, as windows are.
    static bool IsEndOfItsOwn(int inFlight, int mss) => inFlight % mss != 0 && inFlight % Thresholds.RoundBytes != 0;

    /// <summary>
    /// Takes in what the sender's stack says the window is, while the SYNs are not known: what a header holds and that differ by the scale. Events come behind
    /// the acknowledgment that they are of, unless the recorder put them elsewhere: it must fit again and again.
    /// </summary>
    /// <param name="bytes">SND.WND of the sender (RFC 7323 §2.3).</param>
    public void OnReported(int bytes)
    {
        if (_isKnown || _latest == 0 || bytes % _latest != 0 || !BitOperations.IsPow2(bytes / _latest))
        {
            return;
        }

        int shift = BitOperations.Log2((uint)(bytes / _latest));
        if (shift <= MaxShift)
        {
            _timesFit = shift == _shift ? _timesFit : (byte)0;
            _shift = (byte)shift;
            _isKnown = ++_timesFit >= Thresholds.MinFullWindows;
        }
    }

    /// <summary>Takes in the window of any segment, behind everything else of it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(ushort unscaled) => _latest = unscaled;
}
