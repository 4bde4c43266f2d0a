using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Capture;

/// <summary>Speeds of links, bits per second.</summary>
public static class LinkSpeed
{
    /// <summary>What is assumed where nothing tells.</summary>
    public const long Usual = 1_000_000_000;

    /// <summary>The fastest of several.</summary>
    /// <param name="speeds">What the links tell; 0 and less of one that does not.</param>
    /// <returns>Its speed; <see cref="Usual"/> where none tells.</returns>
    public static long FastestOf(IEnumerable<long> speeds) => speeds.Where(speed => speed > 0).DefaultIfEmpty(Usual).Max();
}
