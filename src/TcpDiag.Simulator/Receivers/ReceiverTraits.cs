namespace TcpDiag.Simulator.Receivers;

/// <summary>How a stack receives. The default acknowledges every second segment, with SACK and timestamps, and never lacks room.</summary>
public sealed record ReceiverTraits
{
    /// <summary>Segments after which an acknowledgment is sent at once (RFC 9293 §3.8.6.3: 2). More makes stretch acknowledgments.</summary>
    public int SegmentsPerAck { get; init; } = 2;

    /// <summary>How long an acknowledgment is delayed at most, ns.</summary>
    public long AckDelayNanos { get; init; } = 40_000_000;

    /// <summary>Segments at the beginning that are acknowledged at once each (Linux: quick acknowledgments).</summary>
    public int QuickAcks { get; init; }

    /// <summary>
    /// Whether it acknowledges and grants a window as Linux does (<see cref="LinuxAcks"/>, <see cref="LinuxReceiveBuffer"/>): quick acknowledgments also later
    /// and while the window grows, data that was pushed once it is read, a buffer that follows the program. RFC 9293 §3.8.6 leaves these to the stack.
    /// </summary>
    public bool IsLinux { get; init; }

    /// <summary>
    /// How many duplicate acknowledgments with SACK it holds back behind the third, for up to a millisecond (Linux: tcp_comp_sack_nr); 0 for none, as
    /// RFC 5681 §4.2 asks.
    /// </summary>
    public int CompressedSacks { get; init; }

    /// <summary>Whether it sends SACK blocks (RFC 2018).</summary>
    public bool HasSack { get; init; } = true;

    /// <summary>Whether it reports duplicates (RFC 2883).</summary>
    public bool HasDsack { get; init; } = true;

    /// <summary>The receive buffer in bytes, at the beginning.</summary>
    public int BufferBytes { get; init; } = 64 * 1024 * 1024;

    /// <summary>How far the buffer grows as data is read; no more than the beginning for a fixed one.</summary>
    public int MaxBufferBytes { get; init; }

    /// <summary>Bytes that are kept out of order at most: more are dropped (story S2's reassembly limit).</summary>
    public int ReassemblyBytes { get; init; } = int.MaxValue;

    /// <summary>Whether the handshake has window scaling; without it the window is at most 64 kB (RFC 7323 §2.1).</summary>
    public bool HasWindowScale { get; init; } = true;

    /// <summary>The window scale it offers (RFC 7323 §2.2).</summary>
    public byte WindowScale { get; init; } = 11;
}
