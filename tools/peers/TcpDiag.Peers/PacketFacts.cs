using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>
/// What stands in one TCP packet, and what stood in those before it, as anybody can count it who reads the capture from its beginning: no
/// program's verdict is in it.
/// </summary>
/// <param name="Number">Number of its frame.</param>
/// <param name="Time">When it was captured.</param>
/// <param name="Flags">Its flags.</param>
/// <param name="From">Who sent it.</param>
/// <param name="To">To whom.</param>
/// <param name="Sequence">Its sequence number.</param>
/// <param name="Payload">Payload bytes.</param>
public sealed record PacketFacts(long Number, TraceTime Time, TcpFlags Flags, Endpoint From, Endpoint To, SequenceNumber Sequence, int Payload)
{
    /// <summary>Bytes of it, a FIN among them, that a packet before it carried.</summary>
    public int SeenBefore { get; init; }

    /// <summary>Whether data behind its own had come before.</summary>
    public bool IsBelowHighest { get; init; }

    /// <summary>
    /// Whether TSval, else IPv4 identification, says it was sent after the packet that came with the data behind it; null when neither tells.
    /// </summary>
    public bool? IsSentLater { get; init; }

    /// <summary>Whether the acknowledgment number is that of the packet before it from the same end.</summary>
    public bool RepeatsAck { get; init; }

    /// <summary>Whether the window is another than in the packet before it.</summary>
    public bool ChangesWindow { get; init; }

    /// <summary>Whether it carries SACK blocks.</summary>
    public bool HasSack { get; init; }

    /// <summary>Whether its first sequence number is the next one its end has to send.</summary>
    public bool IsInSequence { get; init; }

    /// <summary>Whether data of the other end was not acknowledged when it came.</summary>
    public bool HasOutstanding { get; init; }

    /// <summary>The latest packet of the other end whose data this one is the first to acknowledge; null when it acknowledges nothing new.</summary>
    public AcknowledgedData? Acknowledges { get; init; }
}
