using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Traces.Inspection;

/// <summary>What to add to the capture command when a trace lacks packets or events of the TCP stack.</summary>
public static class CaptureAdvice
{
    /// <summary>The way to record both with netsh.</summary>
    public const string NetshCommand = "netsh trace start capture=yes provider=Microsoft-Windows-TCPIP level=5 keywords=0xffffffffffffffff report=disabled tracefile=tcp.etl";

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
                $"Neither packets nor events of the TCP stack, only {Mostly(trace)}. To record both, as administrator:",
                NetshCommand,
                PktMonCommand,
            ],
        };
    }

    static string Mostly(TraceInspection trace) => trace.Providers.Count == 0
        ? "its header"
        : $"{trace.Providers[0].Name ?? trace.Providers[0].Provider.ToString("D")}" + trace.Providers.Count switch
        {
            1 => string.Empty,
            2 => " and one provider more",
            int count => $" and {count - 1} providers more",
        };
}
