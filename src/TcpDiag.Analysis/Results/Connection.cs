using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Results;

/// <summary>One TCP connection of a trace. Compact, because all of them are kept until the end. Two are equal only when they are the same one.</summary>
public sealed record Connection
{
    /// <summary>Position among all connections, in the order of their first packets or events.</summary>
    public int Index { get; init; }

    /// <summary>Who sent the SYN; without a SYN the end with the higher port.</summary>
    public required Endpoint Client { get; init; }

    /// <summary>The other end.</summary>
    public required Endpoint Server { get; init; }

    /// <summary>First packet or event.</summary>
    public required TraceTime Start { get; init; }

    /// <summary>Number of the first packet's frame, from 1, as Wireshark counts; 0 for a connection known from events alone.</summary>
    public long FirstPacket { get; init; }

    /// <summary>Last packet or event.</summary>
    public TraceTime Last { get; init; }

    /// <summary>Process at this machine's end, null when unknown.</summary>
    public uint? ProcessId { get; init; }

    /// <summary>Name of its image, null when unknown.</summary>
    public string? ProcessName { get; init; }

    /// <summary>A name by which the server's address was looked up, null when unknown.</summary>
    public string? ServerName { get; init; }

    /// <summary>Whether SYN, SYN-ACK and its acknowledgment were all seen.</summary>
    public bool IsHandshakeComplete { get; init; }

    /// <summary>Whether it was open: the handshake was complete, or one end sent data or anything else after its SYN.</summary>
    public bool IsOpen { get => field || IsHandshakeComplete; init; }

    /// <summary>Whether one end answered, but nothing of what it sent was captured.</summary>
    public bool IsOneSided { get; init; }

    /// <summary>SYNs and SYN-ACKs sent again; null when the trace has no packets of the connection.</summary>
    public int? SynRetransmissions { get; init; }

    /// <summary>From the SYN to the acknowledgment of the SYN-ACK, nanoseconds; null when not seen, or a SYN was resent.</summary>
    public long? HandshakeRtt { get; init; }

    /// <summary>
    /// From the SYN to the SYN-ACK at the capture point, nanoseconds: the way to the server and back, and the server's own delay. Null when not both were
    /// seen, or one was resent.
    /// </summary>
    public long? SynAckDelay { get; init; }

    /// <summary>Where the capture was taken.</summary>
    public Vantage Vantage { get; init; }

    /// <summary>The name lookup the client waited for before its SYN; null when none was seen.</summary>
    public LookupDelay? Lookup { get; init; }

    /// <summary>
    /// From the first SYN to the end of the handshake, nanoseconds, resent SYNs included; null when not seen. Where the SYN-ACK was not captured: until the
    /// client sent again.
    /// </summary>
    public long? ConnectTime { get; init; }

    /// <summary>Operating system of the client, known where the trace has its stack events.</summary>
    public EndSystem ClientSystem { get; init; }

    /// <summary>Operating system of the server, known where the trace has its stack events.</summary>
    public EndSystem ServerSystem { get; init; }

    /// <summary>How it ended.</summary>
    public ConnectionEnd End { get; init; }

    /// <summary>What the client sent, and what came back for it.</summary>
    public required ConnectionDirection FromClient { get; init; }

    /// <summary>What the server sent, and what came back for it.</summary>
    public required ConnectionDirection FromServer { get; init; }

    /// <summary>What the result is based on.</summary>
    public Evidence Evidence { get; init; }

    /// <inheritdoc/>
    public bool Equals(Connection? other) => ReferenceEquals(this, other);

    /// <inheritdoc/>
    public override int GetHashCode() => RuntimeHelpers.GetHashCode(this);

    /// <summary>The opposite direction.</summary>
    /// <param name="direction">One of the two directions.</param>
    /// <returns>The other one.</returns>
    public ConnectionDirection Other(ConnectionDirection direction) => direction == FromClient ? FromServer : FromClient;

    /// <summary>This connection with another result for the direction of what one of its ends sends.</summary>
    internal Connection WithDirection(Endpoint from, Func<ConnectionDirection, ConnectionDirection> change) =>
        from == Client ? this with { FromClient = change(FromClient) } : this with { FromServer = change(FromServer) };
}

/// <summary>How a connection ended, as far as the trace shows.</summary>
public enum ConnectionEnd : byte
{
    /// <summary>It had not ended.</summary>
    Open = 0,

    /// <summary>Both ends sent FIN.</summary>
    Fin = 1,

    /// <summary>A reset, before both ends had sent FIN.</summary>
    Rst = 2,

    /// <summary>At least three retransmissions went unanswered, and the next did not come when it was due.</summary>
    Timeout = 3,
}

/// <summary>The operating system at an end of a connection.</summary>
public enum EndSystem
{
    /// <summary>Unknown: only packets of that end were recorded.</summary>
    Unknown = 0,

    /// <summary>Windows.</summary>
    Windows = 1,

    /// <summary>Linux.</summary>
    Linux = 2,
}

/// <summary>Time a connection waited for a name before its SYN.</summary>
/// <param name="Time">From the first query to the SYN, or to the answer where the SYN came long after it, nanoseconds.</param>
/// <param name="Name">The name as written in the query.</param>
/// <param name="Service">UDP port of the service: 53 DNS, 137 NetBIOS, 5353 mDNS, 5355 LLMNR; 0 for a lookup in the machine's own events, which do not say
/// how it was done.</param>
/// <param name="Queries">Queries sent.</param>
/// <param name="IsAnswered">Whether an answer came.</param>
/// <param name="IsAboutServer">Whether the query was sent to the server, or an answer holds its address.</param>
/// <param name="FirstPacket">Number of the first query's packet, or of the event, from 1.</param>
public sealed record LookupDelay(long Time, string Name, int Service, int Queries, bool IsAnswered, bool IsAboutServer, long FirstPacket)
{
    /// <summary>From the end of the wait to the SYN, nanoseconds; 0 when the client connected at once.</summary>
    public long AfterTime { get; init; }

    /// <summary>Record types asked for and not answered although the server's address had come; null without any.</summary>
    public string? Missing { get; init; }
}
