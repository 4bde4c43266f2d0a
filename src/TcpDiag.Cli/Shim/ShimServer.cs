using System;
using System.CommandLine;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;
using TcpDiag.Shim.Queue;
using TcpDiag.Shim.Tun;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Shim;

/// <summary>The process that diverts packets: opens the port, runs, and tells how it stands in JSON lines on standard output.</summary>
static class ShimServer
{
    // A queue hands over whole packets; on the loopback device these reach 64 KiB.
    const int QueuePacketBytes = 65_536;
    const int QueueCapacityPackets = 16_384;

    /// <summary>Runs to the end.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="arguments">Its options.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="PlatformNotSupportedException">There is no backend for this system yet.</exception>
    public static int Run(ParseResult parse, ShimArguments arguments)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new PlatformNotSupportedException("Packets can be diverted on Linux only.");
        }

        using ParentWatch parent = new(((Invocation)parse.InvocationConfiguration).Interruption);
        MatchRule match = arguments.ReadMatch(parse);
        bool isTun = parse.GetValue(arguments.Near) is not null;
        ImpairmentProfile profile = Fit(arguments.ReadProfile(parse), isTun);
        TextWriter output = parse.InvocationConfiguration.Output;
        using FileStream? log = parse.GetValue(arguments.Log) is { } path ? File.Create(path) : null;
        using IPacketPort port = isTun
            ? OpenLink(parse, arguments)
            : new QueuePort(parse.GetValue(arguments.Queue), match);
        ShimOptions options = new()
        {
            TimeLimit = arguments.ReadTimeLimit(parse),
            Log = log,
            MaxPacketBytes = isTun ? 2048 : QueuePacketBytes,
            Progress = figures => WriteLine(output, JsonSerializer.Serialize(figures, ShimJson.Default.ShimFigures)),
        };
        ShimReport report = ShimRun.Run(port, match, profile, options, parent.Token);
        WriteLine(output, JsonSerializer.Serialize(report, ShimJson.Default.ShimReport));
        return ExitCode.Done;
    }

    static ImpairmentProfile Fit(ImpairmentProfile profile, bool isTun) => isTun
        ? profile
        : profile with { Settings = profile.Settings with { CapacityPackets = QueueCapacityPackets } };

    [SupportedOSPlatform("linux")]
    static TunLink OpenLink(ParseResult parse, ShimArguments arguments)
    {
        uint network = ReadNetwork(parse.GetValue(arguments.Network)!);
        return new TunLink(End(parse.GetValue(arguments.Near), network | 1), End(parse.GetValue(arguments.Far), network | 2));
    }

    static TunEnd End(string? place, uint address) => new(place ?? string.Empty, "tcpdiag0", IpAddress.FromIpv4(address), 24);

    // A network of 24 bits: its last byte is the host's.
    static uint ReadNetwork(string text) =>
        IpAddress.TryParse(text, out IpAddress address) && address.IsIpv4 && (byte)address.Low == 0
            ? (uint)address.Low
            : throw new ImpairmentException("--network", "an IPv4 network of 24 bits such as 10.200.0.0", $"'{text}'");

    static void WriteLine(TextWriter output, string line)
    {
        output.WriteLine(line);
        output.Flush();
    }
}
