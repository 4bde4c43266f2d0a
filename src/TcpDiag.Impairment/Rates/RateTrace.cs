using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Rates;

/// <summary>
/// A recorded link in Mahimahi's format (Netravali et al., USENIX ATC 2015, §3; mm-link): each line is a time in ms at which the link could deliver 1500
/// bytes; the last one is also the length of the trace, which then begins anew.
/// </summary>
public sealed class RateTrace
{
    /// <summary>Bytes of one delivery opportunity.</summary>
    public const int OpportunityBytes = 1500;

    /// <summary>The most opportunities that are read: 100 s at 1.2 Gbit/s.</summary>
    public const int MaxOpportunities = 10_000_000;

    const int LongestLine = 20;
    const int ShownCharacters = 24;
    const double BitsPerByte = 8;
    const int MsPerSecond = 1000;

    readonly int[] _ms;
    readonly int[] _upTo;

    RateTrace(List<int> ms, List<int> upTo)
    {
        _ms = [.. ms];
        _upTo = [.. upTo];
    }

    /// <summary>How many opportunities one round of the trace has.</summary>
    public int Opportunities => _upTo[^1];

    /// <summary>After so many ms the trace begins anew.</summary>
    public int PeriodMs => _ms[^1];

    /// <summary>The mean rate in bit/s.</summary>
    public double BitsPerSecond => Opportunities * OpportunityBytes * BitsPerByte * MsPerSecond / PeriodMs;

    /// <summary>Reads a trace, line by line; what is kept grows with what is there.</summary>
    /// <param name="name">The file's name, for messages.</param>
    /// <param name="text">The trace.</param>
    /// <returns>The trace.</returns>
    /// <exception cref="ImpairmentException">A line is not a time, lies before the one above it, or there are too few or too many.</exception>
    /// <exception cref="IOException">The text cannot be read.</exception>
    public static RateTrace Read(string name, TextReader text)
    {
        const string Expected = "a time in ms, not before the one above it";
        List<int> ms = [];
        List<int> upTo = [];
        int opportunities = 0;
        Span<char> buffer = stackalloc char[LongestLine];
        while (TryReadLine(text, buffer, out int length))
        {
            ReadOnlySpan<char> line = buffer[..Math.Min(length, buffer.Length)].Trim();
            bool isTime = int.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out int time) && length < buffer.Length;
            Require(isTime && (ms.Count == 0 || time >= ms[^1]), name, opportunities + 1, Expected, line);
            Require(++opportunities <= MaxOpportunities, name, opportunities, "at most 10000000 lines", "more");
            Add(ms, upTo, time, opportunities);
        }

        Require(opportunities > 0 && ms[^1] > 0, name, opportunities + 1, "a time above 0 ms", "the end of the file");
        return new RateTrace(ms, upTo);
    }

    /// <summary>How many opportunities of one round have come by a time.</summary>
    /// <param name="ms">Whole milliseconds since the round began.</param>
    /// <returns>0 … <see cref="Opportunities"/>.</returns>
    internal int CountUpTo(int ms)
    {
        int at = Array.BinarySearch(_ms, ms);
        int last = at >= 0 ? at : ~at - 1;
        return last < 0 ? 0 : _upTo[last];
    }

    /// <summary>When in its round an opportunity comes.</summary>
    /// <param name="index">0 … <see cref="Opportunities"/> − 1.</param>
    /// <returns>Milliseconds.</returns>
    internal int MsOf(int index)
    {
        int at = Array.BinarySearch(_upTo, index + 1);
        return _ms[at >= 0 ? at : ~at];
    }

    static void Add(List<int> ms, List<int> upTo, int time, int opportunities)
    {
        if (ms.Count > 0 && ms[^1] == time)
        {
            upTo[^1] = opportunities;
            return;
        }

        ms.Add(time);
        upTo.Add(opportunities);
    }

    // A line longer than the buffer is read to its end, so that its length is known, and not kept.
    static bool TryReadLine(TextReader text, Span<char> buffer, out int length)
    {
        length = 0;
        int next = text.Read();
        if (next < 0)
        {
            return false;
        }

        while (next >= 0 && next != '\n' && length < buffer.Length)
        {
            buffer[length++] = (char)next;
            next = length < buffer.Length ? text.Read() : next;
        }

        return true;
    }

    static void Require(bool holds, string name, int line, string expected, ReadOnlySpan<char> found)
    {
        if (!holds)
        {
            throw new ImpairmentException(string.Create(CultureInfo.InvariantCulture, $"{name}:{line}"), expected, Shown(found));
        }
    }

    static string Shown(ReadOnlySpan<char> found)
    {
        string text = found.Length > ShownCharacters ? string.Concat(found[..ShownCharacters], "…") : found.ToString();
        return text.AsSpan().IndexOfAnyExceptInRange(' ', '~') < 0 ? $"'{text}'" : "bytes that are no text";
    }
}

/// <summary>
/// A link that follows a <see cref="RateTrace"/>, as mm-link does: an opportunity nobody waits for is gone; a packet that fits into what an opportunity has
/// left goes with it, a longer one takes the next as well. It keeps the number of the first byte not given away yet, opportunity k holding the bytes from
/// 1500·k on.
/// </summary>
sealed class TraceRate(RateTrace trace, TraceTime start) : ILinkRate
{
    const long NanosPerMs = 1_000_000;

    readonly long _periodNanos = trace.PeriodMs * NanosPerMs;
    long _given;

    /// <inheritdoc/>
    public TraceTime NextStart(TraceTime now) => Later(now, TimeOf(Math.Max(_given, GoneBefore(now)) / RateTrace.OpportunityBytes));

    /// <inheritdoc/>
    public TraceTime Take(TraceTime now, int lengthBytes)
    {
        _given = Math.Max(_given, GoneBefore(now)) + lengthBytes;
        return Later(now, TimeOf((_given - 1) / RateTrace.OpportunityBytes));
    }

    // The opportunity of this very instant is not gone. 10¹² bit/s for a day are 10¹⁶ bytes, far below 2⁶³.
    long GoneBefore(TraceTime now)
    {
        long passed = now - start - 1;
        if (passed < 0)
        {
            return 0;
        }

        long rounds = Math.DivRem(passed, _periodNanos, out long into);
        return ((rounds * trace.Opportunities) + trace.CountUpTo((int)(into / NanosPerMs))) * RateTrace.OpportunityBytes;
    }

    TraceTime TimeOf(long opportunity)
    {
        long round = Math.DivRem(opportunity, trace.Opportunities, out long index);
        return start + ((round * _periodNanos) + (trace.MsOf((int)index) * NanosPerMs));
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;
}
