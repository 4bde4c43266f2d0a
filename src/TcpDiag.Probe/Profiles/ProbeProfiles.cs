using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Probe.Profiles;

/// <summary>The scripts there are.</summary>
public static class ProbeProfiles
{
    static readonly (string Name, Func<ProbeProfile> Create)[] Known =
    [
        ("staircase", () => new StaircaseProfile()),
        ("tlp", () => new TailProfile()),
        ("lost-retransmission", () => new LostRetransmissionProfile()),
        ("prr", () => new PrrProfile()),
        ("slow-start", () => new SlowStartProfile()),
    ];

    /// <summary>Their names, the usual one first.</summary>
    public static IReadOnlyList<string> Names { get; } = [.. Known.Select(profile => profile.Name)];

    /// <summary>A script, to be used for one connection.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <exception cref="ArgumentException">There is none of that name.</exception>
    public static ProbeProfile Create(string name) => Array.Find(Known, profile => string.Equals(profile.Name, name, StringComparison.Ordinal)).Create?.Invoke()
        ?? throw new ArgumentException($"There is no profile {name}.", nameof(name));
}
