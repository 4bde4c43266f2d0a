using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using TcpDiag.Cli.Recording;
using TcpDiag.Lab.Probing;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Receiving;
using TcpDiag.Wire;

namespace TcpDiag.Cli.Probe;

/// <summary>The options of <c>tcpdiag probe</c>.</summary>
sealed class ProbeArguments
{
    const int Ipv4Mss = 1460; // of 1500 bytes
    const int Ipv6Mss = 1440;

    readonly Option<string> _listen = new("--listen")
    {
        Description = "Address and port of the probe, e.g. 10.99.0.2:5001 or [fd00::2]:5001; an address that no machine has",
        Required = true,
        HelpName = "ADDRESS:PORT",
    };

    readonly Option<string?> _profile = Choice.Option("--profile", "What is read; staircase if not given", [.. ProbeProfiles.Names]);

    readonly Option<TimeSpan> _rtt =
        CaptureOptions.Time("--rtt", "The round trip that is emulated", TimeSpan.FromMilliseconds(40), TimeSpan.FromMilliseconds(10));

    readonly Option<TimeSpan> _limit = CaptureOptions.Time("--for", "Longest duration: 90s, 5min", TimeSpan.FromMinutes(5), TimeSpan.FromSeconds(1));

    readonly Option<int> _flight = new("--flight")
    {
        Description = "The receive window in segments",
        DefaultValueFactory = _ => 32,
        CustomParser = result => Number.Read<int>(result, "8 to 44", number => number is >= 8 and <= 44),
    };

    /// <summary>Whether to print JSON.</summary>
    public Option<bool> Json { get; } = new("--json") { Description = "Print one JSON document (schema tcpdiag/probe/1)" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        _listen.Validators.Add(result => Check(result, _listen));
        Array.ForEach<Option>([_listen, _profile, _rtt, _flight, _limit, Json], command.Add);
    }

    /// <summary>Where the probe waits.</summary>
    public Endpoint ReadListen(ParseResult parse) => Parse(parse.GetValue(_listen)!)!.Value;

    /// <summary>What the command line asks for.</summary>
    public ProbeRunSettings Read(ParseResult parse)
    {
        Endpoint listen = ReadListen(parse);
        ProbeSettings network = new()
        {
            DelayNanos = (long)parse.GetValue(_rtt).TotalNanoseconds,
            FlightSegments = parse.GetValue(_flight),
            Mss = listen.Address.IsIpv4 ? Ipv4Mss : Ipv6Mss,
        };
        return new ProbeRunSettings(listen, ProbeProfiles.Create(parse.GetValue(_profile) ?? ProbeProfiles.Names[0]), network, parse.GetValue(_limit));
    }

    static void Check(OptionResult result, Option<string> listen)
    {
        string text = result.Tokens.Count > 0 ? result.Tokens[^1].Value : string.Empty;
        if (result.IdentifierToken is not null && Parse(text) is null) // one that is missing has a message of its own
        {
            result.AddError($"{listen.Name}: expected ADDRESS:PORT such as 10.99.0.2:5001 or [fd00::2]:5001, found '{text}'");
        }
    }

    static Endpoint? Parse(string text)
    {
        int colon = text.LastIndexOf(':');
        if (colon < 1 || !ushort.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) || port == 0)
        {
            return null;
        }

        string host = text[..colon];
        bool isBracketed = host.StartsWith('[') && host.EndsWith(']');
        bool isComplete = isBracketed || host.Count(letter => letter == '.') == 3; // "10" would be 0.0.0.10
        bool isAddress = IpAddress.TryParse(isBracketed ? host[1..^1] : host, out IpAddress address) && !address.IsUnspecified;
        return isAddress && isComplete && address.IsIpv4 != isBracketed ? new Endpoint(address, port) : null;
    }
}
