using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// Records with <c>netsh trace</c>, which every Windows has. Packets come from the NDIS capture driver, cut to the snap length;
/// events from the TCP stack, from AFD (what applications ask of their sockets) and from name resolution. No report, no
/// correlation and no merging of symbols: they take minutes and contain more private data than a diagnosis needs.
/// </summary>
sealed class NetshEngine : CaptureEngine
{
    const long MiB = 1 << 20;

    // Above our own limit: it still applies when this process is gone, and does not cut a trace that we would have stopped.
    const long HeadroomMiB = 16;

    static readonly ProgramCall StopCall = ProgramCall.Of("netsh", "trace", "stop");

    public override string Name => "netsh";

    public override ProgramCall Status { get; } = ProgramCall.Of("netsh", "trace", "show", "status");

    protected override IReadOnlyList<PlannedCommand> StopCommands { get; } = [new(StopCall, "stops, writes what is still in memory; may take minutes")];

    public override string? WhyNotSplit(bool isByTime, int build) => "has no mode that begins new files (filemode is single, circular or append): use "
        + "--engine pktmon or etw";

    public override bool Competes(string sessionName)
    {
        ArgumentNullException.ThrowIfNull(sessionName);
        return sessionName.StartsWith("NetTrace", StringComparison.OrdinalIgnoreCase) || string.Equals(sessionName, Name, StringComparison.Ordinal);
    }

    public override CapturePlan Plan(CaptureSettings settings, string traceFile, int build)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var departures = new List<string>();
        List<string> arguments = ["trace", "start", "capture=yes", $"tracefile={traceFile}", "overwrite=yes", Size(settings), FileMode(settings)];
        arguments.AddRange(["report=disabled", "correlation=disabled", "perfMerge=no", "persistent=no"]);
        arguments.Add(string.Create(CultureInfo.InvariantCulture, $"packettruncatebytes={settings.SnapLength}"));
        List<string> filters = [.. NetshFilter.Arguments(settings, departures)];
        arguments.AddRange(filters);
        if (settings.WithEvents)
        {
            foreach (StackProvider provider in StackProviders.All)
            {
                arguments.AddRange([$"provider={provider.Name}", $"keywords={StackProviders.AllKeywords}", $"level={provider.LevelText}"]);
            }
        }

        return new()
        {
            Engine = Name,
            TraceFile = traceFile,
            Start = [new(new("netsh", arguments), "starts the recording")],
            Stop = StopCommands,
            Costs = WindowsCosts.Of(settings, settings.MaxBytes + (HeadroomMiB * MiB)),
            HasFilters = filters.Count > 0,
            Departures = departures,
            Remarks = settings.WithEvents ? [StackProviders.NotFiltered] : [],
        };
    }

    static string Size(CaptureSettings settings)
    {
        long size = (settings.MaxBytes + MiB - 1) / MiB;
        return string.Create(CultureInfo.InvariantCulture, $"maxsize={(settings.IsRing ? size : size + HeadroomMiB)}");
    }

    static string FileMode(CaptureSettings settings) => settings.IsRing ? "filemode=circular" : "filemode=single";
}

/// <summary>
/// A match as capture filters of <c>netsh trace</c>, which must all hold. They know a family, a protocol, and a list of addresses
/// of one family, one of them at either end; no ports and no prefixes. What they cannot express is left out: more is recorded,
/// never less, and a remark says so.
/// </summary>
static class NetshFilter
{
    const int Ipv4Bits = 32;
    const int Ipv6Bits = 128;

    /// <summary>The filters of a recording.</summary>
    /// <returns>Arguments of <c>netsh trace start</c>.</returns>
    public static IEnumerable<string> Arguments(CaptureSettings settings, ICollection<string> remarks)
    {
        // Its help names a single interface; a list is documented nowhere.
        if (settings.Interfaces is [{ Name: not CaptureInterface.Any and var name }])
        {
            yield return $"captureinterface={name}";
        }

        MatchAlternatives match = MatchAlternatives.Of(settings.Match.ForAnyProcess());
        if (Shared(match, one => one.IsIpv4) is { } isIpv4)
        {
            yield return isIpv4 ? "ethernet.type=IPv4" : "ethernet.type=IPv6";
        }

        if (Shared(match, one => one.Protocol) is { } protocol)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"protocol={(int)protocol}");
        }

        if (Addresses(match) is { } addresses)
        {
            yield return addresses;
        }

        Remark(match, remarks);
        if (settings.Interfaces.Count > 1)
        {
            remarks.Add("netsh records at one interface or at all: packets of all are recorded");
        }
    }

    static void Remark(MatchAlternatives match, ICollection<string> remarks)
    {
        if (match.List.Any(one => one.Ports.Count > 0))
        {
            remarks.Add("netsh cannot filter by port: packets of all ports are recorded");
        }

        if (match.List.Any(one => one.Hosts.Count > 0) && Addresses(match) is null)
        {
            remarks.Add("netsh filters by whole addresses of one family only: packets of all addresses are recorded");
        }

        if (!match.IsExact || (match.List.Count > 1 && Addresses(match) is null))
        {
            remarks.Add("netsh cannot filter by all of the match: what it cannot express is recorded too");
        }
    }

    // What all alternatives have in common.
    static T? Shared<T>(MatchAlternatives match, System.Func<MatchAlternative, T?> test)
        where T : struct => match.List.Select(test).Distinct().Take(2).ToArray() is [var one] ? one : null;

    static string? Addresses(MatchAlternatives match)
    {
        if (match.List.Any(one => one.Hosts.Count != 1))
        {
            return null;
        }

        List<MatchHost> hosts = [.. match.List.Select(one => one.Hosts[0])];
        bool isIpv4 = hosts[0].Address.IsIpv4;
        return hosts.TrueForAll(host => host.Address.IsIpv4 == isIpv4 && host.PrefixBits == (isIpv4 ? Ipv4Bits : Ipv6Bits))
            ? $"{(isIpv4 ? "ipv4" : "ipv6")}.address={Join(hosts.Select(host => host.Address.ToString()))}"
            : null;
    }

    static string Join(IEnumerable<string> values)
    {
        string list = string.Join(',', values.Distinct(System.StringComparer.Ordinal));
        return list.Contains(',', System.StringComparison.Ordinal) ? $"({list})" : list;
    }
}
