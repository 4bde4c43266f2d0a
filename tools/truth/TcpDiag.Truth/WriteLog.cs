using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>What the sending program says of its writes (docs/lab.md).</summary>
/// <param name="Calls">Each write: when it began and returned, and the bytes it moved.</param>
sealed record WriteLog(IReadOnlyList<(TraceTime Begin, TraceTime End, long Bytes)> Calls)
{
    /// <summary>Reads the log of a run.</summary>
    /// <param name="folder">The run's folder.</param>
    /// <returns>Its writes, in order.</returns>
    public static WriteLog Read(string folder) => new(
        [.. File.ReadLines(Path.Combine(folder, "sender.tsv")).Skip(1).Select(Call)]);

    /// <summary>
    /// The part of a sender's time in which it had nothing to send: all that had been written was sent, and the program was in no call. What follows the last
    /// new data belongs to what held the sender back before.
    /// </summary>
    /// <param name="segments">What it sent, in order.</param>
    /// <returns>0 … 1.</returns>
    public double ApplicationShare(IReadOnlyList<SentSegment> segments)
    {
        SentSegment[] data = [.. segments.Where(segment => segment is { Length: > 0, Kind: SentKind.New } && (segment.Flags & TcpFlags.Syn) == 0)];
        long origin = data[0].Start;
        long application = 0;
        long sent = 0;
        for (int i = 1; i < data.Length; i++)
        {
            sent = Math.Max(sent, data[i - 1].End - origin);
            application += NothingLeft(sent, data[i - 1].Time, data[i].Time);
        }

        return (double)application / Math.Max(data[^1].Time - data[0].Time, 1);
    }

    static (TraceTime Begin, TraceTime End, long Bytes) Call(string line)
    {
        long[] values = [.. line.Split('\t').Select(value => long.Parse(value, CultureInfo.InvariantCulture))];
        return (new TraceTime(values[0] - values[2]), new TraceTime(values[0]), values[1]);
    }

    // Between two segments: from the return of the write that brought what was sent until the next write begins.
    long NothingLeft(long sent, TraceTime from, TraceTime to)
    {
        long written = 0;
        TraceTime idleSince = from;
        foreach ((TraceTime begin, TraceTime end, long bytes) in Calls)
        {
            if (written >= sent || begin >= to)
            {
                TraceTime since = idleSince > from ? idleSince : from;
                TraceTime until = begin < to ? begin : to;
                return written <= sent && until > since ? until - since : 0;
            }

            written += bytes;
            idleSince = end;
        }

        return written <= sent && to > idleSince ? to - (idleSince > from ? idleSince : from) : 0;
    }
}
