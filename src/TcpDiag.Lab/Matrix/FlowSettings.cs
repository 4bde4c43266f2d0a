namespace TcpDiag.Lab.Matrix;

/// <summary>What is sent and how the two programs treat their sockets. What is null is left to the system.</summary>
public sealed record FlowSettings
{
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

    /// <summary>Congestion control of both sockets (TCP_CONGESTION).</summary>
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
