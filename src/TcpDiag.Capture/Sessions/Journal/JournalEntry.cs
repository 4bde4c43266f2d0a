using System;
using System.Text.Json.Serialization;

namespace TcpDiag.Capture.Sessions.Journal;

/// <summary>One line of a recording's journal.</summary>
/// <param name="Utc">When it was written.</param>
/// <param name="Step">The step that begins.</param>
/// <param name="Engine">In the first line: what records, e.g. <c>netsh</c>.</param>
/// <param name="Output">In the first line: full path of the requested result; in that of Collecting, its final name.</param>
/// <param name="Detail">For people: the command that runs, why it stopped.</param>
public sealed record JournalEntry(DateTimeOffset Utc, CaptureStep Step, string? Engine = null, string? Output = null, string? Detail = null);

/// <summary>
/// The steps of a recording. Each is in the journal before it begins, so that after a crash the journal shows
/// what may have been done and what has not.
/// </summary>
public enum CaptureStep
{
    /// <summary>The folder is there; nothing on the machine has changed.</summary>
    Prepared,

    /// <summary>The programs that start the recording may have run.</summary>
    Starting,

    /// <summary>The recording runs.</summary>
    Recording,

    /// <summary>The programs that stop it may have run.</summary>
    Stopping,

    /// <summary>Nothing runs any more; the trace is in the folder.</summary>
    Stopped,

    /// <summary>The result is being put together under its temporary name.</summary>
    Collecting,

    /// <summary>The result has its name; the folder can go.</summary>
    Collected,
}

/// <summary>Reads and writes journal lines without reflection: one JSON object a line.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(JournalEntry))]
sealed partial class JournalJsonContext : JsonSerializerContext;
