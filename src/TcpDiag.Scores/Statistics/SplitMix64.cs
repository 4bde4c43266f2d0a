using System;

namespace TcpDiag.Scores.Statistics;

/// <summary>A random stream that is the same on every platform and in every version of .NET (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).</summary>
/// <param name="seed">Where it starts.</param>
struct SplitMix64(ulong seed)
{
    ulong _state = seed;

    /// <summary>The next whole number below a bound.</summary>
    /// <param name="bound">The bound, at least 1. The bias of the product method is below bound / 2⁶⁴.</param>
    /// <returns>0 … bound − 1.</returns>
    public int Next(int bound) => (int)Math.BigMul(NextBits(), (ulong)bound, out _);

    /// <summary>The next 64 bits.</summary>
    /// <returns>The bits.</returns>
    public ulong NextBits()
    {
        _state += 0x9E37_79B9_7F4A_7C15;
        ulong mixed = (_state ^ (_state >> 30)) * 0xBF58_476D_1CE4_E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D0_49BB_1331_11EB;
        return mixed ^ (mixed >> 31);
    }
}
