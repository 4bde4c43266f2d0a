using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Traces.Inspection;

/// <summary>
/// What the TCP stack of a Windows build can log, in one line per ability: the events are named, so that a trace without
/// them can be told from a build without them. First builds are those of the public event lists.
/// </summary>
public static class BuildCapabilities
{
    // Earliest list there is.
    const int FirstListedBuild = 10586;

    static readonly (int FirstBuild, string Ability)[] Abilities =
    [
        (FirstListedBuild, "congestion window, send window and RTT with each segment sent (1332)"),
        (FirstListedBuild, "timeouts (1351), retransmissions (1187) and zero windows (1102)"),
        (FirstListedBuild, "a summary of limits at the end of a connection (1352)"),
        (14393, "retransmissions with their kind (1418), tail loss probes (1386)"),
        (15063, "pacing (1447)"),
        (17763, "HyStart++ (1475), summaries that carry both addresses (1477)"),
        (18362, "proportional rate reduction (1481)"),
        (22000, "reordering window reo_wnd (1577), reordering detected (1566)"),
        (22000, "SACK processing with DSACK counts (1548), segments marked lost (1552)"),
        (22621, "RACK's send times (1585), sequence state with each segment (1332 v3)"),
        (26100, "both addresses with each segment (1332 v5), limiting factors (1626)"),
        (26200, "limiting factors in finer steps (1637)"),
    ];

    /// <summary>What a build can log.</summary>
    /// <param name="build">Build of Windows.</param>
    /// <returns>One line per ability, oldest first; empty for builds before any list.</returns>
    public static IReadOnlyList<string> Of(int build) =>
        [.. Abilities.Where(ability => ability.FirstBuild <= build).Select(ability => ability.Ability)];

    /// <summary>What a build cannot log yet.</summary>
    /// <param name="build">Build of Windows.</param>
    /// <returns>One line per ability with the first build that has it.</returns>
    public static IReadOnlyList<string> MissingFrom(int build) =>
        [.. Abilities.Where(ability => ability.FirstBuild > build).Select(ability => $"{ability.Ability}: from build {ability.FirstBuild} on")];
}
