using System.Numerics;

namespace TcpDiag.Impairment.Randomness;

/// <summary>
/// The generator xoshiro256** of Blackman and Vigna (prng.di.unimi.it), seeded through SplitMix64 as its authors advise. Our own code because the
/// runtime may change the algorithm behind a seeded <see cref="System.Random"/>, and a recorded seed must reproduce its run for years.
/// Mutable: keep it in a field, never copy it to draw from.
/// </summary>
struct Xoshiro256
{
    // 2⁻⁵³: 53 random bits become a double in [0, 1) without rounding.
    const double UnitOfDouble = 1.0 / (1UL << 53);

    ulong _s0;
    ulong _s1;
    ulong _s2;
    ulong _s3;

    public Xoshiro256(ulong seed)
    {
        _s0 = SplitMix(ref seed);
        _s1 = SplitMix(ref seed);
        _s2 = SplitMix(ref seed);
        _s3 = SplitMix(ref seed);
    }

    /// <summary>64 random bits.</summary>
    public ulong NextBits()
    {
        ulong result = BitOperations.RotateLeft(_s1 * 5, 7) * 9;
        ulong shifted = _s1 << 17;
        _s2 ^= _s0;
        _s3 ^= _s1;
        _s1 ^= _s2;
        _s0 ^= _s3;
        _s2 ^= shifted;
        _s3 = BitOperations.RotateLeft(_s3, 45);
        return result;
    }

    /// <summary>Uniform in [0, 1), a multiple of 2⁻⁵³.</summary>
    public double NextUnit() => (NextBits() >> 11) * UnitOfDouble;

    /// <summary>Uniform integer from <paramref name="low"/> to <paramref name="high"/>, both included; bias below 2⁻⁶⁴ × the width.</summary>
    public long NextBetween(long low, long high) => low + (long)System.Math.BigMul(NextBits(), (ulong)(high - low) + 1, out _);

    static ulong SplitMix(ref ulong state)
    {
        state += 0x9E37_79B9_7F4A_7C15;
        ulong z = state;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EB;
        return z ^ (z >> 31);
    }
}

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
