using System.Collections.Generic;
using System.Text.Json.Serialization;
using TcpDiag.Shim.Doctor;

namespace TcpDiag.Shim;

/// <summary>
/// The JSON forms of figures and reports: what the process that diverts packets reports to the one that started it, a line each, and what <c>--json</c> prints
/// (docs/schemas/shim-run.json, shim-doctor.json, shim-log.json).
/// </summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ShimFigures))]
[JsonSerializable(typeof(ShimReport))]
[JsonSerializable(typeof(ShimRunDocument))]
[JsonSerializable(typeof(DoctorDocument))]
[JsonSerializable(typeof(DecisionLogStart))]
[JsonSerializable(typeof(DecisionLogLine))]
[JsonSerializable(typeof(DecisionLogEnd))]
public sealed partial class ShimJson : JsonSerializerContext
{
}

/// <summary>What <c>tcpdiag shim run --json</c> prints.</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-run/1</c>.</param>
/// <param name="Match">Which packets were impaired.</param>
/// <param name="Options">What was emulated, one <c>option: value</c> each.</param>
/// <param name="Seed">The seed of every random stream.</param>
/// <param name="Report">What came of it.</param>
public sealed record ShimRunDocument(string Schema, string Match, IReadOnlyList<string> Options, ulong Seed, ShimReport Report);

/// <summary>The first line of <c>tcpdiag shim log --json</c>.</summary>
/// <param name="Schema">Always <c>tcpdiag/shim-log/1</c>.</param>
/// <param name="Started">When the run began, ISO 8601.</param>
/// <param name="Seed">The seed of every random stream.</param>
/// <param name="DelayErrorLimitNs">What 99 % of the delay errors must not pass, nanoseconds.</param>
/// <param name="Options">What was in force, one <c>option: value</c> each.</param>
public sealed record DecisionLogStart(string Schema, string Started, ulong Seed, long DelayErrorLimitNs, IReadOnlyList<string> Options);

/// <summary>A decision as <c>tcpdiag shim log --json</c> prints it.</summary>
/// <param name="Time">When, ISO 8601: the emulated instant; of a packet that leaves, when it did.</param>
/// <param name="Direction"><c>out</c> or <c>in</c>.</param>
/// <param name="IsBehind">Whether it was decided behind the observation point.</param>
/// <param name="Packet">The packet's number in its direction, from 1.</param>
/// <param name="Bytes">The packet's IP length.</param>
/// <param name="Flow">The packet's flow hash, eight hexadecimal digits.</param>
/// <param name="Action">What was done, in the words of docs/formats/decision-log.md.</param>
/// <param name="DelayAskedNs">Delay asked so far, nanoseconds.</param>
/// <param name="DelayErrorNs">Delay given minus asked, nanoseconds; null where the packet did not leave.</param>
public sealed record DecisionLogLine(
    string Time,
    string Direction,
    bool IsBehind,
    long Packet,
    int Bytes,
    string Flow,
    string Action,
    long DelayAskedNs,
    long? DelayErrorNs);

/// <summary>The last line of <c>tcpdiag shim log --json</c>.</summary>
/// <param name="IsComplete">False when the log was cut off, or <c>--limit</c> ended the reading.</param>
/// <param name="Shown">Decisions that were printed.</param>
/// <param name="RecordsLost">Decisions that could not be written; null unless the log is complete.</param>
/// <param name="Lost">Packets the system lost; null unless the log is complete.</param>
/// <param name="Bypassed">Packets that passed a full queue; null unless the log is complete.</param>
public sealed record DecisionLogEnd(bool IsComplete, long Shown, long? RecordsLost, long? Lost, long? Bypassed);
