using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>What a trace says about the machine and the recording; null where it does not say. Final when reading ends.</summary>
public sealed class SystemFacts
{
    /// <summary>How the comment of a .pcapng section, or the session name of an .etl, begins that no network carried: the simulator's.</summary>
    public const string SimulationMark = "Simulated by tcpdiag";

    /// <summary>Build number of Windows, e.g. 26100.</summary>
    public int? WindowsBuild { get; set; }

    /// <summary>Operating system and version in words, from pcapng shb_os.</summary>
    public string? OperatingSystem { get; set; }

    /// <summary>The program that recorded, from pcapng shb_userappl.</summary>
    public string? Recorder { get; set; }

    /// <summary>What a file of the simulator says of itself, from the section's comment or the session's name: <c>Simulated by tcpdiag: …</c>; null for a
    /// recorded one.</summary>
    public string? Simulation { get; set; }

    /// <summary>Processors of the machine.</summary>
    public int? Processors { get; set; }

    /// <summary>Bytes of a pointer in the trace's kernel records: 4 or 8.</summary>
    public int? PointerSize { get; set; }

    /// <summary>Clock of the time stamps in words, e.g. <c>QPC at 10000000 Hz</c>.</summary>
    public string? Clock { get; set; }

    /// <summary>Start of the recording by the file header.</summary>
    public TraceTime? Started { get; set; }

    /// <summary>End of the recording by the file header; null in a log that was not closed.</summary>
    public TraceTime? Stopped { get; set; }

    /// <summary>Events the recorder lost.</summary>
    public long? LostEvents { get; set; }

    /// <summary>Buffers the recorder lost.</summary>
    public long? LostBuffers { get; set; }

    /// <summary>When all that it lost was lost; null when that is not known, or nothing was lost.</summary>
    public IReadOnlyList<LossSpan>? LossSpans { get; set; }

    /// <summary>What a text says of a simulation; null where it is about something else.</summary>
    internal static string? SimulationIn(string text) => text.StartsWith(SimulationMark, System.StringComparison.Ordinal) ? text : null;

    /// <summary>The same facts with other losses.</summary>
    /// <param name="lostEvents">Events lost.</param>
    /// <param name="lostBuffers">Buffers lost.</param>
    /// <param name="lossSpans">When; null when that is not known.</param>
    internal SystemFacts With(long? lostEvents, long? lostBuffers, IReadOnlyList<LossSpan>? lossSpans)
    {
        var copy = (SystemFacts)MemberwiseClone();
        copy.LostEvents = lostEvents;
        copy.LostBuffers = lostBuffers;
        copy.LossSpans = lossSpans;
        return copy;
    }
}

/// <summary>A stretch of time in which a recorder lost something; outside it nothing is missing for that.</summary>
/// <param name="From">Nothing before it was lost.</param>
/// <param name="To">Nothing after it was lost.</param>
public readonly record struct LossSpan(TraceTime From, TraceTime To);
