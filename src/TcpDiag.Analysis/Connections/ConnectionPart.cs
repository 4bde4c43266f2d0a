using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// A part of the connections of a trace: where all of them at once would need too much memory, the trace is read once for each part. A part is a prefix of a
/// hash of the 4-tuple, the upper half of which is one of the two addresses alone. So all connections of a 4-tuple are in one part, and all between the same
/// two hosts as well, unless these alone are too many.
/// </summary>
/// <param name="Prefix">The first bits of the hash.</param>
/// <param name="Bits">How many; 0 for all connections.</param>
/// <param name="Seed">Keys the hash, so that nobody who sends packets can make them all fall into one part.</param>
readonly record struct ConnectionPart(uint Prefix, int Bits, ulong Seed)
{
    const int HashBits = 32;
    const int AddressBits = HashBits / 2;
    const int Upper = 64 - AddressBits; // the lower half of a hash is where a FlowIndex looks

    /// <summary>Whether all connections between two hosts are in the same part.</summary>
    public bool HasWholePairs => Bits <= AddressBits;

    /// <summary>Whether it can be divided: connections of one 4-tuple cannot.</summary>
    public bool IsDivisible => Bits < HashBits;

    /// <summary>Its first half.</summary>
    public ConnectionPart First => this with { Prefix = Prefix << 1, Bits = Bits + 1 };

    /// <summary>Its second half.</summary>
    public ConnectionPart Second => this with { Prefix = (Prefix << 1) | 1, Bits = Bits + 1 };

    /// <summary>Whether connections of a 4-tuple belong to it.</summary>
    public bool Has(in FlowKey key) => Bits == 0 || HashOf(key) >> (HashBits - Bits) == Prefix;

    uint HashOf(in FlowKey key)
    {
        uint addresses = (uint)((key with { Ports = 0 }).Hash(Seed) >> Upper) << AddressBits;
        return HasWholePairs ? addresses : addresses | (uint)(key.Hash(Seed) >> Upper);
    }
}
