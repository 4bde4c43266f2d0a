using System;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl.Buffers;

/// <summary>
/// Looks for the next buffer header after damage, at any byte, for compressed buffers are not aligned. The state of a
/// flushed buffer (a u32 of 3 at 0x2C) is the anchor; a candidate must look like a header throughout and be followed by a record.
/// </summary>
sealed class EtlResync
{
    const int StateOffset = 0x2C;
    const int CandidateLength = EtlBufferHeader.Length + 8;
    const int FirstWindow = 4096;
    const int MaxWindow = 1 << 18;

    readonly TraceInput _input;
    readonly long _length;

    // The zeros seen last, so that many buffers that point into the same ones do not have them read again and again.
    long _zerosFrom;
    long _zerosEnd;

    internal EtlResync(TraceInput input, long length)
    {
        _input = input;
        _length = length;
    }

    /// <summary>Finds a buffer header.</summary>
    internal long FindBuffer(long from)
    {
        var window = new byte[FirstWindow];
        while (from < _length)
        {
            ReadOnlySpan<byte> bytes = window.AsSpan(0, _input.ReadAt(from, window));
            int found = FindIn(bytes);
            if (found >= 0)
            {
                return from + found;
            }

            if (bytes.Length < CandidateLength)
            {
                return -1;
            }

            // A candidate may straddle the end of the window.
            from += bytes.Length - CandidateLength + 1;
            window = window.Length < MaxWindow ? new byte[window.Length * 2] : window;
        }

        return -1;
    }

    /// <summary>Whether everything from an offset to the end of the file is zero: a tail that was never written.</summary>
    internal bool IsZeroToTheEnd(long from)
    {
        if (from >= _zerosFrom && from < _zerosEnd)
        {
            return _zerosEnd == _length;
        }

        _zerosFrom = from;
        _zerosEnd = EndOfZeros(from);
        return _zerosEnd == _length;
    }

    long EndOfZeros(long from)
    {
        var window = new byte[MaxWindow];
        while (from < _length)
        {
            ReadOnlySpan<byte> bytes = window.AsSpan(0, _input.ReadAt(from, window));
            int data = bytes.IndexOfAnyExcept((byte)0);
            if (data >= 0)
            {
                return from + data;
            }

            from += Math.Max(1, bytes.Length);
        }

        return _length;
    }

    static int FindIn(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> flushed = [3, 0, 0, 0];
        int start = 0;
        while (bytes.Length - start >= CandidateLength)
        {
            int hit = bytes[(start + StateOffset)..].IndexOf(flushed);
            if (hit < 0 || bytes.Length - start - hit < CandidateLength)
            {
                return -1;
            }

            start += hit;
            if (IsBuffer(bytes[start..]))
            {
                return start;
            }

            start++;
        }

        return -1;
    }

    static bool IsBuffer(ReadOnlySpan<byte> candidate)
    {
        var header = EtlBufferHeader.Read(candidate);
        return header.IsConvincing
            && (header.IsCompressed || header.FilledBytes == EtlBufferHeader.Length || (candidate[EtlBufferHeader.Length + 3] & 0x80) != 0);
    }
}
