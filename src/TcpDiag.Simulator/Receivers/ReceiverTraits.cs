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

/// <summary>How the stacks that can be simulated receive.</summary>
public static class ReceiverVariants
{
    const int LinuxBufferBytes = 65_536; // half of the middle value of tcp_rmem (tcp_adv_win_scale 1)
    const int MaxBufferBytes = 20 * 1024 * 1024; // payload that 32 MB (tcp_rmem) take
    const long Ms = 1_000_000;

    /// <summary>Linux with a setting of the lab; beside the stacks <c>rfc</c> and <c>reno</c> without the rules of its own.</summary>
    /// <param name="stack">The setting.</param>
    /// <returns>How it receives.</returns>
    public static ReceiverTraits Linux(string stack) => new()
    {
        QuickAcks = 16, // TCP_MAX_QUICKACKS
        IsLinux = !IsOfTheRfcs(stack),
        CompressedSacks = IsOfTheRfcs(stack) ? 0 : 44, // tcp_comp_sack_nr
        HasDsack = stack is not ("no-dsack" or "not-adapting"),
        HasSack = stack is not "no-sack",
        BufferBytes = LinuxBufferBytes,
        MaxBufferBytes = MaxBufferBytes,
    };

    static bool IsOfTheRfcs(string stack) => stack is "rfc" or "reno";

    /// <summary>Windows by its build.</summary>
    /// <param name="build">The build.</param>
    /// <returns>How it receives; the buffer's growth is assumed.</returns>
    public static ReceiverTraits Windows(int build) => new()
    {
        AckDelayNanos = (build < 14_393 ? 50 : 40) * Ms, // the Internet template; 50 ms in older builds
        BufferBytes = 65_536,
        MaxBufferBytes = 16 * 1024 * 1024,
        WindowScale = 8,
    };
}
