using TcpDiag.Wire;

namespace TcpDiag.Impairment.Matching;

/// <summary><c>host 10.0.0.1</c>, <c>dst host 2001:db8::/32</c>: an address, or the network it begins.</summary>
/// <param name="Side">Which end.</param>
/// <param name="Address">The address; bits behind the prefix are ignored.</param>
/// <param name="PrefixBits">Leading bits that count, of the 128 of <see cref="IpAddress"/>: an IPv4 prefix is 96 longer.</param>
public sealed record MatchHost(MatchSide Side, IpAddress Address, int PrefixBits) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => PrefixBits <= (Address.IsIpv4 ? 96 : 0);

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        (Side != MatchSide.Destination && Contains(packet.Source.Address)) || (Side != MatchSide.Source && Contains(packet.Destination.Address));

    bool Contains(IpAddress other) =>
        ((Address.High ^ other.High) & Mask(PrefixBits)) == 0 && ((Address.Low ^ other.Low) & Mask(PrefixBits - 64)) == 0;

    // A shift by 64 would be one by 0, hence the two ends are named.
    static ulong Mask(int bits) => bits switch
    {
        <= 0 => 0,
        >= 64 => ulong.MaxValue,
        _ => ulong.MaxValue << (64 - bits),
    };
}
