namespace TcpDiag.Impairment;

/// <summary>Everything that decides what an emulated path does with the packets offered.</summary>
public sealed record EmulatorSettings
{
    /// <summary>From the near to the far side.</summary>
    public PathSettings Out { get; init; } = new(new LinkSettings());

    /// <summary>From the far to the near side.</summary>
    public PathSettings In { get; init; } = new(new LinkSettings());

    /// <summary>The seed of every random stream.</summary>
    public ulong Seed { get; init; } = 1;

    /// <summary>Packets a segment and direction may hold at a time, queue and propagation together; more are dropped and void the run.</summary>
    public int CapacityPackets { get; init; } = 262_144;

    /// <summary>Round-trip propagation time in nanoseconds: what a multiple of the BDP is reckoned with.</summary>
    public long RttNs => Out.DelayNs + In.DelayNs;
}
