using System;
using System.CommandLine;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;
using TcpDiag.Shim.Bridge;
using TcpDiag.Shim.Queue;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Shim;

/// <summary>The process that diverts packets: opens the port, runs, and reports progress as JSON lines on standard output.</summary>
static class ShimServer
{
    // A TUN link has an MTU of 1500.
    const int LinkPacketBytes = 2048;

    // NFQUEUE and WinDivert hand over whole packets; on the loopback device, and in front of a network card that segments, these reach 64 KiB and an IPv6
    // header.
    const int WholePacketBytes = 66_048;
    const int WholeCapacityPackets = 16_384;

    const int Ipv4PrefixBits = 24;
    const int Ipv6PrefixBits = 64;

    /// <summary>Runs to the end.</summary>
    /// <exception cref="ShimException">The system refused, or there is no way to divert packets on it.</exception>
    public static int Run(ParseResult parse, ShimArguments arguments)
    {
        using var parent = CancellationTokenSource.CreateLinkedTokenSource(((Invocation)parse.InvocationConfiguration).Interruption);
        StandardStreams.CancelAtEndOfInput(parent);
        MatchRule match = arguments.ReadMatch(parse);
        bool isTun = parse.GetValue(arguments.Near) is not null;
        bool isSegmented = isTun || parse.GetValue(arguments.Bridge) is { Length: > 0 };
        ImpairmentProfile profile = Fit(arguments.ReadProfile(parse), isSegmented);
        TextWriter output = parse.InvocationConfiguration.Output;
        using FileStream? log = parse.GetValue(arguments.Log) is { } path ? File.Create(path) : null;
        using IPacketPort port = OpenPort(parse, arguments, match);
        ShimOptions options = new()
        {
            TimeLimit = arguments.ReadTimeLimit(parse),
            Log = log,
            Between = parse.GetValue(arguments.Between) is { } between ? File.Create(between) : null,
            BetweenSnapBytes = parse.GetValue(arguments.Snap),
            MaxPacketBytes = OperatingSystem.IsLinux() && port is BridgePort bridge ? bridge.MaxPacketBytes : isTun ? LinkPacketBytes : WholePacketBytes,
            Progress = figures => WriteLine(output, JsonSerializer.Serialize(figures, ShimJson.Default.ShimFigures)),
        };
        ShimReport report = ShimRun.Run(port, match, profile, options, parent.Token);
        WriteLine(output, JsonSerializer.Serialize(report, ShimJson.Default.ShimReport));
        return ExitCode.Done;
    }

    static IPacketPort OpenPort(ParseResult parse, ShimArguments arguments, MatchRule match)
    {
        bool isTun = parse.GetValue(arguments.Near) is not null;
        if (OperatingSystem.IsLinux())
        {
            return isTun ? OpenLink(parse, arguments) : OpenHost(parse, arguments, match);
        }

        return OperatingSystem.IsWindows() && !isTun
            ? ((Invocation)parse.InvocationConfiguration).Surroundings.OpenDivert(arguments.ReadDivert(parse), match)
            : throw new ShimException(isTun
                ? "--near and --far join network namespaces, which only Linux has."
                : "Packets can be diverted on Linux and Windows only.");
    }

    [SupportedOSPlatform("linux")]
    static IPacketPort OpenHost(ParseResult parse, ShimArguments arguments, MatchRule match)
    {
        ushort queue = parse.GetValue(arguments.Queue);
        return (parse.GetValue(arguments.Bridge), parse.GetValue(arguments.Route)) switch
        {
            ([var near, var far], _) => new BridgePort(near, far),
            (_, [var near, var far]) => QueuePort.ForRoute(queue, match, near, far),
            _ => new QueuePort(queue, match, arguments.ReadLoopbackNear(parse)),
        };
    }

    static ImpairmentProfile Fit(ImpairmentProfile profile, bool isSegmented) => isSegmented
        ? profile
        : profile with { Settings = profile.Settings with { CapacityPackets = WholeCapacityPackets } };

    [SupportedOSPlatform("linux")]
    static TunLink OpenLink(ParseResult parse, ShimArguments arguments)
    {
        IpAddress network = arguments.ReadNetwork(parse);
        return new TunLink(End(parse.GetValue(arguments.Near), network, 1), End(parse.GetValue(arguments.Far), network, 2));
    }

    static TunEnd End(string? networkNamespace, IpAddress network, uint host) =>
        new(networkNamespace ?? string.Empty, "tcpdiag0", network with { Low = network.Low | host }, network.IsIpv4 ? Ipv4PrefixBits : Ipv6PrefixBits);

    static void WriteLine(TextWriter output, string line)
    {
        output.WriteLine(line);
        output.Flush();
    }
}
