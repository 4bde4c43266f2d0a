using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>A connection while it is open. Direction 0 is the data of the endpoint that sorts first, 1 that of the other.</summary>
struct ConnectionState
{
    /// <summary>The endpoints.</summary>
    public FlowKey Key;

    /// <summary>Position among all connections, in the order of their first packets.</summary>
    public int Index;

    /// <summary>Number of the connection whose packet followed one of this connection lately, plus one; 0 when none is known. It may have been put away since.</summary>
    public int Next;

    /// <summary>Both directions.</summary>
    public Directions Direction;

    /// <summary>First packet.</summary>
    public TraceTime Start;

    /// <summary>Number of the first packet's frame, from 1.</summary>
    public long FirstPacket;

    /// <summary>Latest packet.</summary>
    public TraceTime Last;

    /// <summary>First SYN.</summary>
    public TraceTime SynTime;

    /// <summary>Latest SYN of the client.</summary>
    public TraceTime LatestSynTime;

    /// <summary>Latest SYN-ACK.</summary>
    public TraceTime SynAckTime;

    /// <summary>From the SYN to its SYN-ACK, and from there to the acknowledgment that ends the handshake, nanoseconds; 0 when not measured.</summary>
    public long HandshakeRtt;

    /// <summary>From the first SYN to the end of the handshake at the client, nanoseconds, resent SYNs included; valid while <see cref="IsEstablished"/>, else 0 when not measured.</summary>
    public long ConnectTime;

    /// <summary>From the SYN to the SYN-ACK, nanoseconds; 0 when not measured.</summary>
    public long SynAckDelay;

    /// <summary>How often the recording clock had been set at the latest packet.</summary>
    public int ClockSteps;

    /// <summary>SYNs and SYN-ACKs sent again.</summary>
    public int SynRetransmissions;

    /// <summary>Direction of the client: 0 or 1, −1 when no SYN told.</summary>
    public sbyte Client;

    /// <summary>Whether SYNs were sent again and nothing tells which of them was answered: <see cref="HandshakeRtt"/> is that of the latest, too short perhaps.</summary>
    public bool IsHandshakeAmbiguous;

    /// <summary>Whether a SYN or SYN-ACK was sent again without a timestamp of its own.</summary>
    public bool IsSynTimeRepeated;

    /// <summary>Whether SYN, SYN-ACK and ACK were seen.</summary>
    public bool IsEstablished;

    /// <summary>Whether one end sent something behind its SYN, or data: the connection was open, whatever part of the handshake was captured.</summary>
    public bool IsOpen;

    /// <summary>Whether the connection waits to be put away.</summary>
    public bool IsQueued;

    /// <summary>How it ended.</summary>
    public ConnectionEnd End;

    [InlineArray(2)]
    public struct Directions
    {
        DirectionState _first;
    }
}
