using System.Collections.Generic;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Linux;

/// <summary>Decides which connections are recorded: those asked for, without our own.</summary>
/// <param name="match">What was asked for.</param>
/// <param name="excluded">Our own connections.</param>
sealed class ConnectionSelector(MatchRule match, IReadOnlyList<(Endpoint Local, Endpoint Remote)> excluded)
{
    /// <summary>What was asked for.</summary>
    public MatchRule Match { get; } = match;

    /// <summary>Our own connections.</summary>
    public IReadOnlyList<(Endpoint Local, Endpoint Remote)> Excluded { get; } = excluded;

    /// <summary>Whether a connection is recorded: packets of one of its directions are asked for.</summary>
    /// <param name="local">One end.</param>
    /// <param name="remote">The other end.</param>
    /// <returns>True when it is.</returns>
    public bool Includes(Endpoint local, Endpoint remote)
    {
        foreach ((Endpoint ownLocal, Endpoint ownRemote) in Excluded)
        {
            if ((local == ownLocal && remote == ownRemote) || (local == ownRemote && remote == ownLocal))
            {
                return false;
            }
        }

        return Match.Matches(new PacketFacts(IpProtocol.Tcp, local, remote, IsOut: true))
            || Match.Matches(new PacketFacts(IpProtocol.Tcp, remote, local, IsOut: false));
    }
}
