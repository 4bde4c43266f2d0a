using System;
using System.Runtime.CompilerServices;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Pcap;

/// <summary>
/// What the records of a pcap file look like. They carry no marks, so that damage shows only by what cannot be, and the next record is found by what is
/// likely: two headers in a row that fit each other and the records before.
/// </summary>
/// <param name="isBigEndian">Byte order of the file.</param>
/// <param name="snapLength">Bytes kept of a packet at most as its header says; 0 when it says nothing.</param>
/// <param name="fractionsPerSecond">1,000,000 or 1,000,000,000.</param>
sealed class PcapRecordRules(bool isBigEndian, uint snapLength, uint fractionsPerSecond)
{
    /// <summary>Bytes of the header of a record.</summary>
    public const int HeaderBytes = 16;

    // libpcap's MAXIMUM_SNAPLEN: it reads no larger packets either, whatever the file's header says.
    const uint MaxPacketBytes = 256 << 10;

    // Packets of one capture come a day apart at most, as good as always.
    const long MaxGapSeconds = 86_400;

    readonly uint _fractionsPerSecond = fractionsPerSecond;
    readonly uint _maxKept = snapLength > 0 ? snapLength : uint.MaxValue;

    /// <summary>Bytes kept of a packet, at most; more is damage.</summary>
    public uint MaxCaptured { get; } = Math.Clamp(snapLength, MaxPacketBytes, InputWindow.MaxBytes - HeaderBytes);

    /// <summary>Whether a header is one that recorders do not write but some tools do, or damage: what follows it decides.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsOdd(in PcapRecordHeader header) =>
        header.CapturedLength > header.OriginalLength
        || header.Fraction >= _fractionsPerSecond
        || header.CapturedLength > _maxKept
        || (header.OriginalLength == 0 && IsHole(header));

    /// <summary>Whether an odd header is one all the same.</summary>
    /// <param name="header">The header.</param>
    /// <param name="window">Begins with it; its record is available.</param>
    /// <returns>True where another header follows that fits, or the end of the file.</returns>
    public bool IsFollowed(in PcapRecordHeader header, InputWindow window)
    {
        if (IsHole(header))
        {
            return false;
        }

        return IsLast(header, window)
            || (TryReadNext(header, window, out PcapRecordHeader next) && next.CapturedLength <= MaxCaptured && IsNear(header.Seconds, next.Seconds));
    }

    /// <summary>Steps over bytes to the next record that is plausible.</summary>
    /// <param name="window">Begins with a record that is not.</param>
    /// <param name="lastSeconds">Seconds of the record read last; null before the first.</param>
    /// <returns>False when there is none; then nothing is left.</returns>
    public bool TrySkipToNext(InputWindow window, uint? lastSeconds)
    {
        bool isSkipped = window.TrySkip(1);
        while (isSkipped && window.TryFill(HeaderBytes))
        {
            window.Advance(FirstPlausible(window.Available, lastSeconds));
            if (window.TryFill(HeaderBytes) && IsRecord(window, lastSeconds))
            {
                return true;
            }

            isSkipped = window.TrySkip(1);
        }

        window.Advance(window.Available.Length);
        return false;
    }

    // The position of a header; that of the last bytes, which may be the beginning of one, when there is none.
    int FirstPlausible(ReadOnlySpan<byte> bytes, uint? lastSeconds)
    {
        int end = bytes.Length - HeaderBytes;
        int at = 0;
        while (at < end && !IsPlausible(PcapRecordHeader.Read(bytes[at..], isBigEndian), lastSeconds))
        {
            at++;
        }

        return at;
    }

    bool IsRecord(InputWindow window, uint? lastSeconds)
    {
        PcapRecordHeader header = PcapRecordHeader.Read(window.Available, isBigEndian);
        return IsPlausible(header, lastSeconds) && window.TryFill(HeaderBytes + (int)header.CapturedLength)
            && (IsLast(header, window) || (TryReadNext(header, window, out PcapRecordHeader next) && IsPlausible(next, header.Seconds)));
    }

    bool IsPlausible(in PcapRecordHeader header, uint? secondsBefore) =>
        header.CapturedLength is > 0 and <= MaxPacketBytes
        && header.CapturedLength <= header.OriginalLength
        && header.OriginalLength <= MaxPacketBytes
        && header.CapturedLength <= _maxKept
        && header.Fraction < _fractionsPerSecond
        && (secondsBefore is not { } near || IsNear(near, header.Seconds));

    bool TryReadNext(in PcapRecordHeader header, InputWindow window, out PcapRecordHeader next)
    {
        int length = HeaderBytes + (int)header.CapturedLength;
        bool isThere = window.TryFill(length + HeaderBytes);
        next = isThere ? PcapRecordHeader.Read(window.Available[length..], isBigEndian) : default;
        return isThere;
    }

    static bool IsLast(in PcapRecordHeader header, InputWindow window)
    {
        int length = HeaderBytes + (int)header.CapturedLength;
        return !window.TryFill(length + 1) && window.Available.Length == length;
    }

    // Zeros where something was to be written: on a disk that was full, or in a file that was not closed.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsHole(in PcapRecordHeader header) => header is { Seconds: 0, CapturedLength: 0, OriginalLength: 0 };

    static bool IsNear(uint one, uint other) => Math.Abs((long)one - other) <= MaxGapSeconds;
}
