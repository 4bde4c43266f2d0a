using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Impairment.Profiles;

namespace TcpDiag.Lab.Matrix;

/// <summary>What is sent and how the two programs treat their sockets. What is null is left to the system.</summary>
public sealed record FlowSettings
{
    /// <summary>The name that stands for the congestion control that the system has.</summary>
    public const string SystemCongestion = "system";

    /// <summary>How many connections there are at once; each of them as described here.</summary>
    public int Connections { get; init; } = 1;

    /// <summary>How much each of them sends.</summary>
    public long Bytes { get; init; } = 1_000_000;

    /// <summary>How much the sender writes at once. A send buffer takes the last write whole, however full it is.</summary>
    public int WriteBytes { get; init; } = 64 * 1024;

    /// <summary>The sender's program has so much to send at a time, and only then; null when it always has.</summary>
    public BytesAndTime? Burst { get; init; }

    /// <summary>SO_MAX_PACING_RATE of the sender.</summary>
    public long? PacingBitsPerSecond { get; init; }

    /// <summary>Congestion control of both sockets (TCP_CONGESTION); <see cref="SystemCongestion"/> leaves it as the system has it.</summary>
    public string Congestion { get; init; } = "cubic";

    /// <summary>SO_SNDBUF of the sender, bytes.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF of the receiver, bytes.</summary>
    public int? ReceiveBufferBytes { get; init; }

    /// <summary>How fast the receiver reads at most.</summary>
    public long? ReadBitsPerSecond { get; init; }

    /// <summary>After so much the receiver reads nothing for so long, once.</summary>
    public BytesAndTime? Pause { get; init; }

    /// <summary>The receiver closes so long after the connection came up, nanoseconds.</summary>
    public long? CloseAfterNs { get; init; }

    /// <summary>Whether the receiver opens the connection, as in a download; else the sender does.</summary>
    public bool IsDownload { get; init; }

    /// <summary>Whether the path and the connection are IPv6.</summary>
    public bool IsIpv6 { get; init; }

    /// <summary>So long before it connects, the client asks for a name that nobody knows (NBNS), and once more after half of the time; nanoseconds.</summary>
    public long? LookupNs { get; init; }

    /// <summary>The sender gives up after so long, nanoseconds.</summary>
    public long LimitNs { get; init; } = 120_000_000_000;
}

/// <summary>Reads the settings of a flow as a matrix gives them.</summary>
public static class FlowSettingsReader
{
    const int MaxConnections = 64;

    // The kernel's minimum buffers are just below: less would be read back as another value.
    const long MinBufferBytes = 4096;

    const long MaxWriteBytes = 16 << 20;

    /// <summary>The settings a matrix may give.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        "flows", "bytes", "write-size", "bursts", "pacing", "congestion", "send-buffer", "receive-buffer", "read-rate", "pause", "close-after",
        "client", "family", "lookup", "limit",
    ];

    /// <summary>Reads settings; a later one replaces an earlier one of the same name.</summary>
    /// <param name="where">Where they stand, for messages.</param>
    /// <param name="options">The settings.</param>
    /// <param name="scale">Shortens the flow and the time after which it is closed.</param>
    /// <returns>The settings.</returns>
    /// <exception cref="ImpairmentException">One is not understood.</exception>
    public static FlowSettings Read(string where, IEnumerable<LabOption> options, double scale)
    {
        FlowSettings flow = new();
        foreach (LabOption option in options)
        {
            flow = With(flow, $"{where} {option.Name}", option);
        }

        return flow is { IsIpv6: true, LookupNs: not null }
            ? throw new ImpairmentException(where, "a lookup over IPv4, which alone has NBNS", "family ipv6")
            : flow with { Bytes = Math.Max(1, (long)(flow.Bytes * scale)), CloseAfterNs = (long?)(flow.CloseAfterNs * scale) };
    }

    static FlowSettings With(FlowSettings flow, string where, LabOption option) => option.Name switch
    {
        "flows" => flow with { Connections = ReadConnections(where, option.Value) },
        "bytes" => flow with { Bytes = ImpairmentOptionsParser.ReadBytes(where, option.Value) },
        "write-size" => flow with { WriteBytes = ReadWrite(where, option.Value) },
        "bursts" => flow with { Burst = ReadBytesAndTime(where, option.Value) },
        "pacing" => flow with { PacingBitsPerSecond = ImpairmentOptionsParser.ReadRate(where, option.Value) },
        "congestion" => flow with { Congestion = ReadName(where, option.Value) },
        "send-buffer" => flow with { SendBufferBytes = ReadBuffer(where, option.Value) },
        "receive-buffer" => flow with { ReceiveBufferBytes = ReadBuffer(where, option.Value) },
        "read-rate" => flow with { ReadBitsPerSecond = ImpairmentOptionsParser.ReadRate(where, option.Value) },
        "pause" => flow with { Pause = ReadBytesAndTime(where, option.Value) },
        "close-after" => flow with { CloseAfterNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        "client" => flow with { IsDownload = ReadWord(where, option.Value, "sender", "receiver") is "receiver" },
        "family" => flow with { IsIpv6 = ReadWord(where, option.Value, "ipv4", "ipv6") is "ipv6" },
        "lookup" => flow with { LookupNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        "limit" => flow with { LimitNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        _ => throw new ImpairmentException(where, $"one of {string.Join(", ", Names)}", $"'{option.Name}'"),
    };

    static string ReadWord(string where, string value, params string[] words) =>
        words.Contains(value, StringComparer.Ordinal) ? value : throw new ImpairmentException(where, $"one of {string.Join(", ", words)}", $"'{value}'");

    static int ReadConnections(string where, string value) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count is >= 1 and <= MaxConnections
            ? count
            : throw new ImpairmentException(where, "1 to 64 connections", $"'{value}'");

    static BytesAndTime ReadBytesAndTime(string where, string value)
    {
        string[] parts = value.Split('/');
        return parts.Length == 2
            && ImpairmentOptionsParser.ReadBytes(where, parts[0]) is > 0 and { } bytes
            && ImpairmentOptionsParser.ReadTime(where, parts[1]) is > 0 and { } time
            ? new BytesAndTime(bytes, time)
            : throw new ImpairmentException(where, "an amount and a time such as 50kb/200ms", $"'{value}'");
    }

    static int ReadWrite(string where, string value) =>
        ImpairmentOptionsParser.ReadBytes(where, value) is >= 1 and <= MaxWriteBytes and { } bytes
            ? (int)bytes
            : throw new ImpairmentException(where, "a write of 1b to 16mib", $"'{value}'");

    static int ReadBuffer(string where, string value) =>
        ImpairmentOptionsParser.ReadBytes(where, value) is >= MinBufferBytes and <= int.MaxValue / 2 and { } bytes
            ? (int)bytes
            : throw new ImpairmentException(where, "a buffer of 4kib to 1gib", $"'{value}'");

    // TCP_CA_NAME_MAX is 16 with the final zero.
    static string ReadName(string where, string value) =>
        value.Length is > 0 and < 16 && System.Text.Ascii.IsValid(value)
            ? value
            : throw new ImpairmentException(where, "a congestion control such as cubic or reno", $"'{value}'");
}

/// <summary>An amount and a time that go together, written <c>50kb/200ms</c>.</summary>
/// <param name="Bytes">The amount.</param>
/// <param name="TimeNs">The time, nanoseconds.</param>
public sealed record BytesAndTime(long Bytes, long TimeNs);
