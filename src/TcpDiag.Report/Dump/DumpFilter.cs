using System.Collections.Generic;

namespace TcpDiag.Report.Dump;

/// <summary>Which events <c>dump</c> shows; what is null or empty does not restrict.</summary>
public sealed record DumpFilter
{
    /// <summary>Part of the provider's name, or its GUID.</summary>
    public string? Provider { get; init; }

    /// <summary>Event ids; of classic events opcodes.</summary>
    public IReadOnlyCollection<int> Ids { get; init; } = [];

    /// <summary>Fields that must have a value, as text shows it.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Fields { get; init; } = [];

    /// <summary>Seconds since the start of the trace.</summary>
    public double? FromSeconds { get; init; }

    /// <summary>Seconds since the start of the trace.</summary>
    public double? ToSeconds { get; init; }

    /// <summary>A connection: an endpoint (<c>10.0.0.1:443</c>), an address, or a Tcb (<c>0xffff…</c>).</summary>
    public string? Connection { get; init; }

    /// <summary>Most events to show.</summary>
    public long Limit { get; init; } = long.MaxValue;

    /// <summary>Whether an instant is wanted.</summary>
    /// <param name="nanoseconds">Nanoseconds since the start of the trace.</param>
    /// <returns>True when it is.</returns>
    public bool IsInTime(long nanoseconds)
    {
        double seconds = nanoseconds / 1e9;
        return (FromSeconds is not { } from || seconds >= from) && (ToSeconds is not { } to || seconds <= to);
    }

    /// <summary>Whether an event id is wanted.</summary>
    /// <param name="id">The id or opcode.</param>
    /// <returns>True when it is.</returns>
    public bool IsWanted(int id)
    {
        if (Ids.Count == 0)
        {
            return true;
        }

        foreach (int wanted in Ids)
        {
            if (wanted == id)
            {
                return true;
            }
        }

        return false;
    }
}
