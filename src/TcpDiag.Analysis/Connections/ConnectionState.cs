using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Receiver;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>A connection while it is open. End 0 is the endpoint that sorts first, 1 the other.</summary>
struct ConnectionState
{
    /// <summary>The endpoints.</summary>
    public FlowKey Key;

    /// <summary>Position among all connections, in the order of their first packets; negative while nothing is held here.</summary>
    public int Index;

    /// <summary>
    /// Number of the connection whose packet followed one of this connection lately, plus one; 0 when none is known. It may have been put away since.
    /// </summary>
    public int Next;

    /// <summary>Both ends.</summary>
    public BothEnds Ends;

    /// <summary>When its packets passed.</summary>
    public CapturedSpan Captured;

    /// <summary>How it opened.</summary>
    public HandshakeState Handshake;

    /// <summary>How it closes.</summary>
    public ClosingState Closing;

    /// <summary>How often the recording clock had been set at the latest packet.</summary>
    public int ClockSteps;

    /// <summary>Begins with the first packet.</summary>
    /// <param name="key">The endpoints.</param>
    /// <param name="index">Position among all connections.</param>
    /// <param name="packet">Number of the packet's frame, from 1.</param>
    /// <param name="time">When it passed.</param>
    /// <param name="clockSteps">How often the recording clock was set so far.</param>
    public void Begin(in FlowKey key, int index, long packet, TraceTime time, int clockSteps)
    {
        this = default;
        Key = key;
        Index = index;
        Captured.Begin(packet, time);
        ClockSteps = clockSteps;
        Handshake.Begin();
        Ends[0].Receive.Window.Begin();
        Ends[1].Receive.Window.Begin();
    }

    /// <summary>One of the ends, for each segment: its number, 0 or 1, is not checked.</summary>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref EndState EndOf(int end) => ref Unsafe.Add(ref Unsafe.As<BothEnds, EndState>(ref Ends), end);

    /// <summary>Both ends, as an array.</summary>
    [InlineArray(2)]
    public struct BothEnds
    {
        EndState _first;
    }
}

/// <summary>One end of a connection. A hundred thousand may be open at once: in an order that leaves no gaps.</summary>
struct EndState
{
    /// <summary>The data it sends.</summary>
    public SendState Send;

    /// <summary>What it says of the data it receives.</summary>
    public ReceiveState Receive;

    /// <summary>Its SYN.</summary>
    public SynState Syn;

    /// <summary>For the observer of limits; none as long as no data was sent.</summary>
    public Pooled<Untyped> Limits;

    /// <summary>For the observer of patterns; none while nothing stood out.</summary>
    public Pooled<Untyped> Patterns;

    /// <summary>SND.MAX when the connection was reset; valid while it counts as reset.</summary>
    public SequenceNumber ResetEnd;

    /// <summary>Whether its FIN was seen.</summary>
    public bool IsFinSeen;

    /// <summary>Whether something that stands out goes on (docs/findings), so that ordinary segments matter as well.</summary>
    public bool IsPatternOpen;

    /// <summary>Whether its window is closed: what the other end sends now may be a probe.</summary>
    public readonly bool IsWindowClosed => Receive.Window.Unscaled == 0 && Send.Counts.Packets > 0;
}

/// <summary>When the packets of a connection passed the capture point.</summary>
struct CapturedSpan
{
    /// <summary>Number of the first packet's frame, from 1.</summary>
    public long FirstPacket { get; private set; }

    /// <summary>First packet.</summary>
    public TraceTime Start { get; private set; }

    /// <summary>Latest packet.</summary>
    public TraceTime Last { get; private set; }

    /// <summary>Begins.</summary>
    public void Begin(long packet, TraceTime time)
    {
        FirstPacket = packet;
        Start = time;
        Last = time;
    }

    /// <summary>Takes in a packet. Several interfaces may leave a file out of order.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Extend(TraceTime time)
    {
        if (time > Last)
        {
            Last = time;
        }
    }
}
