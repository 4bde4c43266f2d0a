using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Traces.Inspection;

/// <summary>What to add to the capture command when a trace lacks packets or events of the TCP stack.</summary>
public static class CaptureAdvice
{
    /// <summary>The way to record both with netsh.</summary>
    public const string NetshCommand = "netsh trace start capture=yes provider=Microsoft-Windows-TCPIP level=5 keywords=0xffffffffffffffff "
        + "report=disabled tracefile=tcp.etl";

    /// <summary>The way to record both with PktMon.</summary>
    public const string PktMonCommand = "pktmon start --capture --trace -p Microsoft-Windows-TCPIP -k 0xFFFFFFFFFFFFFFFF -l 5 -f tcp.etl";

    /// <summary>Advice for a trace.</summary>
    /// <param name="trace">An inspected trace.</param>
    /// <returns>Lines for people; empty when the trace has packets and, if it is an .etl file, TCP events.</returns>
    public static IReadOnlyList<string> For(TraceInspection trace)
    {
        ArgumentNullException.ThrowIfNull(trace);
        bool hasPackets = trace.Packets > 0;
        if (trace.Format != TraceFormat.Etl)
        {
            return hasPackets ? [] : ["No packets: the capture filter or the interface let none pass."];
        }

        bool hasTcpEvents = trace.Providers.Any(provider => provider.Provider == KnownProviders.TcpIp);
        return (hasPackets, hasTcpEvents) switch
        {
            (true, true) => [],
            (true, false) =>
            [
                "No events of the TCP stack: packets can be analysed, congestion window and causes only be inferred.",
                "Add to netsh: provider=Microsoft-Windows-TCPIP level=5 keywords=0xffffffffffffffff",
                "Add to pktmon: --trace -p Microsoft-Windows-TCPIP -k 0xFFFFFFFFFFFFFFFF -l 5",
            ],
            (false, true) =>
            [
                "No packets: the events of the TCP stack are analysed alone.",
                "Add to netsh: capture=yes",
                "Use for pktmon: --capture",
            ],
            _ =>
            [
                $"Neither packets nor events of the TCP stack, only {Contents(trace)}. To record both, as administrator:",
                NetshCommand,
                PktMonCommand,
            ],
        };
    }

    static string Contents(TraceInspection trace) => trace.Providers.Count == 0
        ? "its header"
        : $"{trace.Providers[0].Name ?? trace.Providers[0].Provider.ToString("D")}" + trace.Providers.Count switch
        {
            1 => string.Empty,
            2 => " and one provider more",
            int count => $" and {count - 1} providers more",
        };
}

/// <summary>
/// What the TCP stack of a Windows build can log, in one line per ability: the events are named, so that a trace without
/// them is not mistaken for a build without them. First builds are those of the public event lists.
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
