using TcpDiag.Analysis.Names;
using TcpDiag.Wire;

namespace TcpDiag.Analysis;

/// <summary>One TCP connection of a trace. Compact: one object of it exists per connection until the end.</summary>
public sealed class Connection
{
    /// <summary>Position among all connections, in the order of their first packets or events.</summary>
    public int Index { get; internal set; }

    /// <summary>Who sent the SYN; without a SYN the end with the higher port.</summary>
    public required Endpoint Client { get; init; }

    /// <summary>The other end.</summary>
    public required Endpoint Server { get; init; }

    /// <summary>First packet or event.</summary>
    public required TraceTime Start { get; init; }

    /// <summary>Number of the first packet's frame, from 1, as Wireshark counts; 0 for a connection known from events alone.</summary>
    public long FirstPacket { get; init; }

    /// <summary>Last packet or event.</summary>
    public TraceTime Last { get; internal set; }

    /// <summary>Process at this machine's end, null when the trace does not tell.</summary>
    public uint? ProcessId { get; internal set; }

    /// <summary>Name of its image, null when the trace does not tell.</summary>
    public string? ProcessName { get; internal set; }

    /// <summary>A name by which the server's address was looked up, null when the trace does not tell.</summary>
    public string? ServerName { get; internal set; }

    /// <summary>Whether SYN, SYN-ACK and its acknowledgment were all seen.</summary>
    public bool IsHandshakeComplete { get; init; }

    /// <summary>Whether it was open: the handshake was complete, or one end sent something behind its SYN, or data.</summary>
    public bool IsOpen { get => field || IsHandshakeComplete; init; }

    /// <summary>Whether one end answered, and nothing of what it sent was captured: what its answers would tell is not known.</summary>
    public bool IsOneSided { get; init; }

    /// <summary>SYNs and SYN-ACKs sent again; null when the trace has no packets of the connection.</summary>
    public int? SynRetransmissions { get; init; }

    /// <summary>From the SYN to the acknowledgment of the SYN-ACK, nanoseconds; null when not seen, or a SYN was resent.</summary>
    public long? HandshakeRtt { get; init; }

    /// <summary>Where the capture was taken.</summary>
    public Vantage Vantage { get; internal set; }

    /// <summary>The name lookup the client waited for before its SYN; null when none was seen.</summary>
    public LookupDelay? Lookup { get; internal set; }

    /// <summary>From the first SYN to the end of the handshake, nanoseconds, resent SYNs included; null when not seen. Where the SYN-ACK was not captured: to what the client sent next.</summary>
    public long? ConnectTime { get; init; }

    /// <summary>Operating system of the client, where its own events tell.</summary>
    public EndSystem ClientSystem { get; internal set; }

    /// <summary>Operating system of the server, where its own events tell.</summary>
    public EndSystem ServerSystem { get; internal set; }

    /// <summary>How it ended.</summary>
    public ConnectionEnd End { get; internal set; }

    /// <summary>What the client sent, and what came back for it.</summary>
    public required ConnectionDirection FromClient { get; init; }

    /// <summary>What the server sent, and what came back for it.</summary>
    public required ConnectionDirection FromServer { get; init; }

    /// <summary>What the account rests on.</summary>
    public Evidence Evidence { get; internal set; }

    /// <summary>The direction of what an endpoint sends.</summary>
    /// <param name="from">One of both ends.</param>
    /// <returns>The direction.</returns>
    internal ConnectionDirection DirectionFrom(Endpoint from) => from == Client ? FromClient : FromServer;

    /// <summary>The direction against one.</summary>
    /// <param name="direction">One of both.</param>
    /// <returns>The other one.</returns>
    public ConnectionDirection Other(ConnectionDirection direction) => direction == FromClient ? FromServer : FromClient;
}
