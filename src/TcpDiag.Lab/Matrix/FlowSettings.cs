using System;
using System.Collections.Generic;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Profiles;

namespace TcpDiag.Lab.Matrix;

/// <summary>What is sent and how the two programs treat their sockets. What is null is left to the system.</summary>
public sealed record FlowSettings
{
    // The kernel's least buffers lie just below, and would make the value read back another one.
    const long MinBufferBytes = 4096;

    const long MaxWriteBytes = 16 << 20;

    /// <summary>The settings a matrix may give.</summary>
    public static IReadOnlyList<string> Names { get; } = ["bytes", "write-size", "congestion", "send-buffer", "receive-buffer", "read-rate", "close-after", "client", "lookup", "limit"];

    /// <summary>How much is sent.</summary>
    public long Bytes { get; init; } = 1_000_000;

    /// <summary>How much the sender writes at once. A send buffer takes the last write whole, however full it is.</summary>
    public int WriteBytes { get; init; } = 64 * 1024;

    /// <summary>Congestion control of both sockets (TCP_CONGESTION).</summary>
    public string Congestion { get; init; } = "cubic";

    /// <summary>SO_SNDBUF of the sender, bytes.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>SO_RCVBUF of the receiver, bytes.</summary>
    public int? ReceiveBufferBytes { get; init; }

    /// <summary>How fast the receiver reads at most.</summary>
    public long? ReadBitsPerSecond { get; init; }

    /// <summary>The receiver closes so long after the connection came up, nanoseconds.</summary>
    public long? CloseAfterNs { get; init; }

    /// <summary>Whether the receiver opens the connection, as in a download; else the sender does.</summary>
    public bool IsDownload { get; init; }

    /// <summary>So long before it connects, the client asks for a name that nobody knows (NBNS), and once more after half of the time; nanoseconds.</summary>
    public long? LookupNs { get; init; }

    /// <summary>The sender gives up after so long, nanoseconds.</summary>
    public long LimitNs { get; init; } = 120_000_000_000;

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
            flow = flow.With($"{where} {option.Name}", option);
        }

        return flow with { Bytes = Math.Max(1, (long)(flow.Bytes * scale)), CloseAfterNs = (long?)(flow.CloseAfterNs * scale) };
    }

    FlowSettings With(string where, LabOption option) => option.Name switch
    {
        "bytes" => this with { Bytes = ImpairmentOptionsParser.ReadBytes(where, option.Value) },
        "write-size" => this with { WriteBytes = ReadWrite(where, option.Value) },
        "congestion" => this with { Congestion = ReadName(where, option.Value) },
        "send-buffer" => this with { SendBufferBytes = ReadBuffer(where, option.Value) },
        "receive-buffer" => this with { ReceiveBufferBytes = ReadBuffer(where, option.Value) },
        "read-rate" => this with { ReadBitsPerSecond = ImpairmentOptionsParser.ReadRate(where, option.Value) },
        "close-after" => this with { CloseAfterNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        "client" => this with { IsDownload = ReadClient(where, option.Value) },
        "lookup" => this with { LookupNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        "limit" => this with { LimitNs = ImpairmentOptionsParser.ReadTime(where, option.Value) },
        _ => throw new ImpairmentException(where, $"one of {string.Join(", ", Names)}", $"'{option.Name}'"),
    };

    static bool ReadClient(string where, string value) => value switch
    {
        "sender" => false,
        "receiver" => true,
        _ => throw new ImpairmentException(where, "sender or receiver", $"'{value}'"),
    };

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
