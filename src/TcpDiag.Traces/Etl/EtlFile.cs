using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// An .etl file: its header, its clock and its records (docs/formats/etl.md). Opening reads the buffer headers only; the records are
/// read by cursors, as many as wanted, but one at a time.
/// </summary>
public sealed class EtlFile : IDisposable
{
    // Buffer header, longest log file header with two long names; the first buffer may be larger, its header record is not.
    const int HeaderPrefixLength = 1 << 16;

    // With one stream for all processors, a record may be 10 ms too early or too late.
    const long SlackPerSecond = 100;

    EtlFile(TraceInput input, EtlFileHeader header)
    {
        Input = input;
        Header = header;
        Clock = EtlFileHeaderLayout.CreateClock(header);
        Entries = new EtlBufferScanner(input, input.Length.GetValueOrDefault(), header.BufferSize, ProblemLog).Scan();
        EtlHeaderCheck.Run(header, Entries.Count, input.Length.GetValueOrDefault(), ProblemLog);
        CompressedBufferCount = Entries.Count(entry => entry.IsCompressed);
        MissingBuffers = CountMissing(Entries);
    }

    /// <summary>The file as the user named it.</summary>
    public string Path => Input.Path;

    /// <summary>What the session says about itself. Of a merged file, the first header counts.</summary>
    public EtlFileHeader Header { get; }

    /// <summary>Turns the ticks of records into instants.</summary>
    public EtlClock Clock { get; }

    /// <summary>
    /// Damage met so far, in file order: that between buffers after opening, that inside them as they are read. At most a thousand;
    /// after them what is wrong with the bytes themselves, e.g. that they are not those of the bundle's manifest.
    /// </summary>
    public IReadOnlyList<TraceProblem> Problems =>
        Input.Damage is { } damage ? [.. ProblemLog.Problems, new TraceProblem(Input.Length.GetValueOrDefault(), damage)] : ProblemLog.Problems;

    /// <summary>Buffers in the file.</summary>
    public int BufferCount => Entries.Count;

    /// <summary>Buffers whose records are compressed.</summary>
    public int CompressedBufferCount { get; }

    /// <summary>Sequence numbers without a buffer: buffers that were lost, overwritten in a circular log, or damaged.</summary>
    public long MissingBuffers { get; }

    /// <summary>Whether a file that begins with these bytes is an .etl file.</summary>
    /// <param name="start">The first bytes, 128 or more.</param>
    /// <returns>True when a log file header follows the first buffer header.</returns>
    public static bool IsEtl(ReadOnlySpan<byte> start) =>
        start.Length >= EtlBufferHeader.Length + 0x20
        && EtlBufferHeader.Read(start).HasPlausibleLengths
        && EtlFileHeaderLayout.IsMarker(start[EtlBufferHeader.Length..]);

    /// <summary>Opens a file and finds its buffers.</summary>
    /// <param name="input">A positioned input; closed by <see cref="Dispose"/>, and when this throws.</param>
    /// <returns>The file.</returns>
    /// <exception cref="TraceFormatException">The file does not begin with a log file header.</exception>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot be read at positions.</exception>
    public static EtlFile Open(TraceInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        try
        {
            if (!input.CanReadAt || input.Length is null)
            {
                throw new ArgumentException("An .etl file needs an input with positioned reads and a known length.", nameof(input));
            }

            return new EtlFile(input, ReadHeader(input));
        }
        catch
        {
            input.Dispose();
            throw;
        }
    }

    /// <summary>Starts reading the records.</summary>
    /// <param name="order">The order wanted.</param>
    /// <returns>A cursor before the first record; dispose of it before the file.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="order"/> is no order.</exception>
    public EtlRecordCursor Read(EtlReadOrder order) => order switch
    {
        EtlReadOrder.File => new EtlFileOrderCursor(Input, Entries, ProblemLog),
        EtlReadOrder.Time => new EtlTimeOrderCursor(Input, Entries, ProblemLog, SlackTicks),
        _ => throw new ArgumentOutOfRangeException(nameof(order)),
    };

    /// <inheritdoc/>
    public void Dispose() => Input.Dispose();

    /// <summary>The bytes.</summary>
    internal TraceInput Input { get; }

    /// <summary>The buffers in file order.</summary>
    internal List<EtlBufferEntry> Entries { get; }

    /// <summary>Where damage is noted.</summary>
    internal EtlProblemLog ProblemLog { get; } = new();

    ulong SlackTicks =>
        (Header.LogFileMode & EtlLogFileModes.NoPerProcessorBuffering) != EtlLogFileModes.None ? (ulong)(Clock.Frequency / SlackPerSecond) : 0;

    static EtlFileHeader ReadHeader(TraceInput input)
    {
        var prefix = new byte[HeaderPrefixLength];
        ReadOnlySpan<byte> start = prefix.AsSpan(0, input.ReadAt(0, prefix));
        if (!IsEtl(start))
        {
            throw new TraceFormatException(
                input.Path, 0, -1, "an .etl buffer that begins with a log file header", Describe(start));
        }

        var record = default(EtlRecord);
        if (!EtlRecord.TryParse(start[EtlBufferHeader.Length..], ref record) || !EtlFileHeaderLayout.IsHeader(record))
        {
            throw new TraceFormatException(
                input.Path,
                EtlBufferHeader.Length,
                0,
                string.Create(CultureInfo.InvariantCulture, $"a log file header of at least {EtlFileHeaderLayout.FixedLength64 + 0x20} bytes"),
                string.Create(CultureInfo.InvariantCulture, $"{start.Length - EtlBufferHeader.Length} bytes"));
        }

        return EtlFileHeaderLayout.Read(record);
    }

    static string Describe(ReadOnlySpan<byte> start) => start.IsEmpty
        ? "an empty file"
        : "bytes " + Convert.ToHexStringLower(start[..Math.Min(8, start.Length)]);

    static long CountMissing(List<EtlBufferEntry> entries)
    {
        long[] numbers = [.. entries.Select(entry => entry.SequenceNumber).Where(number => number is >= 0 and <= uint.MaxValue).Order()];
        long missing = 0;
        long expected = 0;
        foreach (long number in numbers)
        {
            missing += Math.Max(0, number - expected);
            expected = number + 1;
        }

        return missing;
    }
}

/// <summary>The order in which the records of an .etl file are read.</summary>
public enum EtlReadOrder
{
    /// <summary>In file order: buffer by buffer, in the order the buffers were flushed.</summary>
    File,

    /// <summary>By time stamp; of equal ones the lower buffer sequence number, then the file position, comes first.</summary>
    Time,
}

/// <summary>
/// Holds what the log file header says against the file: was the session stopped, are all its buffers here, can its
/// time stamps be converted (docs/formats/etl.md, "Log file header").
/// </summary>
static class EtlHeaderCheck
{
    /// <summary>Notes what does not fit.</summary>
    /// <param name="header">The header.</param>
    /// <param name="buffers">Buffers found in the file.</param>
    /// <param name="length">Bytes of the file.</param>
    /// <param name="problems">Where to note it.</param>
    internal static void Run(EtlFileHeader header, int buffers, long length, EtlProblemLog problems)
    {
        if (!header.IsClosed)
        {
            problems.Add(0, "expected the time at which the session was stopped, found none: the log was never closed, its last buffers are missing");
        }
        else if (problems.Problems.Count == 0 && IsCut(header, buffers)) // else what is missing is listed already
        {
            problems.Add(length, string.Create(
                CultureInfo.InvariantCulture, $"expected {header.BuffersWritten} buffers, found {buffers} and the end of the file: it was cut"));
        }

        if (EtlFileHeaderLayout.ClockTypeOf(header) == EtlClockType.Qpc && header.PerformanceFrequency <= 0)
        {
            problems.Add(0, string.Create(
                CultureInfo.InvariantCulture, $"expected a clock frequency above 0, found {header.PerformanceFrequency}: one tick is taken for one second"));
        }
    }

    // A circular log counts the buffers it has overwritten as well; one that was never closed has not counted yet.
    static bool IsCut(EtlFileHeader header, int buffers) =>
        (header.LogFileMode & EtlLogFileModes.Circular) == 0 && header.BuffersWritten > (uint)buffers;
}
