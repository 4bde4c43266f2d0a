namespace TcpDiag.Simulator.Receivers;

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
