using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>What the sending program says of its writes (docs/lab.md).</summary>
/// <param name="Calls">Each write: when it began and returned, and the bytes it moved.</param>
/// <param name="IsBufferSet">Whether its send buffer was bounded (SO_SNDBUF) below what it wrote: otherwise it grows as needed, or held everything.</param>
/// <param name="IsPaced">Whether its socket was given a rate.</param>
sealed record WriteLog(IReadOnlyList<(TraceTime Begin, TraceTime End, long Bytes)> Calls, bool IsBufferSet, bool IsPaced)
{
    /// <summary>Reads the log of a run.</summary>
    /// <param name="folder">The run's folder.</param>
    /// <returns>Its writes, in order.</returns>
    public static WriteLog Read(string folder)
    {
        (TraceTime Begin, TraceTime End, long Bytes)[] calls = [.. File.ReadLines(Path.Combine(folder, "sender.tsv")).Skip(1).Select(Call)];
        return new(calls, Setting(folder, "sendBufferBytes") < calls.Sum(call => call.Bytes), Setting(folder, "pacingBitsPerSecond") < long.MaxValue);
    }

    /// <summary>What the socket had taken for certain: bytes of the calls that had returned.</summary>
    /// <param name="time">By when.</param>
    /// <returns>Bytes.</returns>
    public long BytesBy(TraceTime time) => Calls.TakeWhile(call => call.End <= time).Sum(call => call.Bytes);

    /// <summary>Whether the program was writing.</summary>
    /// <param name="time">When.</param>
    /// <returns>True within a call.</returns>
    public bool IsInCall(TraceTime time) => Calls.Any(call => call.Begin <= time && time < call.End);

    /// <summary>Whether the program of a run had sent all before its time limit.</summary>
    /// <param name="folder">The folder of the run.</param>
    /// <returns>False when it gave up, or was ended.</returns>
    public static bool HasEnded(string folder)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "result.json")));
        return document.RootElement.GetProperty("sender").GetProperty("outcome").ValueEquals("complete");
    }

    // The largest number where it is not set.
    static long Setting(string folder, string name)
    {
        using JsonDocument job = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "flow.json")));
        JsonElement setting = job.RootElement.GetProperty("flow").GetProperty(name);
        return setting.ValueKind == JsonValueKind.Number ? setting.GetInt64() : long.MaxValue;
    }

    static (TraceTime Begin, TraceTime End, long Bytes) Call(string line)
    {
        long[] values = [.. line.Split('\t').Select(value => long.Parse(value, CultureInfo.InvariantCulture))];
        return (new TraceTime(values[0] - values[2]), new TraceTime(values[0]), values[1]);
    }
}
