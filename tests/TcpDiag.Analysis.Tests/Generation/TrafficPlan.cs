namespace TcpDiag.Analysis.Tests.Generation;

/// <summary>What a <see cref="SyntheticTrace"/> holds: uploads that are all open at the same time, each a flight per round trip.</summary>
/// <param name="Connections">Number of connections.</param>
/// <param name="Flights">Flights of eight segments of each.</param>
sealed record TrafficPlan(int Connections, int Flights)
{
    /// <summary>Flights in a thousand that lose a segment.</summary>
    public int LossPerMille { get; init; }

    /// <summary>Flights in a thousand in which a segment comes two segments late.</summary>
    public int ReorderingPerMille { get; init; }

    /// <summary>Flights in a thousand in which a segment comes so late that it is resent.</summary>
    public int SpuriousPerMille { get; init; }

    /// <summary>Clients that open them in turn; each opens one where there are as many.</summary>
    public int Clients { get; init; } = int.MaxValue;

    /// <summary>Seed of the choice.</summary>
    public ulong Seed { get; init; } = 1;
}
