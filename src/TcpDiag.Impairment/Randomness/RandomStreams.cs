namespace TcpDiag.Impairment.Randomness;

/// <summary>
/// Gives every decision of every segment and direction its own generator, derived from one seed, so that switching one impairment on
/// does not change what another one decides.
/// </summary>
sealed class RandomStreams(ulong seed, LinkDirection direction, int segment)
{
    // An odd constant spreads neighbouring stream numbers over all 64 bits; SplitMix64 in the generator does the rest.
    const ulong Spread = 0xD134_2543_DE82_EF95;

    /// <summary>The stream of one decision; <paramref name="index"/> separates several settings of one kind.</summary>
    public Xoshiro256 Open(DecisionKind kind, int index = 0)
    {
        ulong number = ((ulong)index << 24) | ((ulong)segment << 16) | ((ulong)direction << 8) | (ulong)kind;
        return new Xoshiro256(seed ^ (number * Spread));
    }
}

/// <summary>What a random stream decides. A recorded seed depends on the numbers: never renumber.</summary>
enum DecisionKind
{
    Loss = 1,
    Corruption = 2,
    CorruptedBit = 3,
    Jitter = 4,
    Reordering = 5,
    Duplication = 6,
    Queue = 7,
    Slots = 8,
    Cross = 9,
}
