namespace TcpDiag.Impairment.Randomness;

/// <summary>
/// Gives every decision of every segment and direction its own generator, derived from one seed, so that switching one impairment on
/// does not change what another one decides.
/// </summary>
/// <param name="seed">The seed of the run.</param>
/// <param name="direction">The direction.</param>
/// <param name="segment">The segment of the path, from 0.</param>
sealed class RandomStreams(ulong seed, LinkDirection direction, int segment)
{
    // An odd constant spreads neighbouring stream numbers over all 64 bits; SplitMix64 in the generator does the rest.
    const ulong Spread = 0xD134_2543_DE82_EF95;

    /// <summary>The stream of one decision.</summary>
    /// <param name="kind">What it decides.</param>
    /// <param name="index">Which of several settings of that kind, from 0.</param>
    public Xoshiro256 Open(DecisionKind kind, int index = 0)
    {
        ulong number = ((ulong)index << 24) | ((ulong)segment << 16) | ((ulong)direction << 8) | (ulong)kind;
        return new Xoshiro256(seed ^ (number * Spread));
    }
}
