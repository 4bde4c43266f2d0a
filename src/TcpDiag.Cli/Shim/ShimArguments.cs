using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Queue;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Shim;

/// <summary>The options of <c>tcpdiag shim run</c>, and of the process it starts: what to impair, how, where and for how long.</summary>
sealed class ShimArguments
{
    // Named here, not asked of the parser: creating a command must not load a library.
    static readonly (string Name, string Description)[] Impairments =
    [
        ("rate", "Bit/s, e.g. 100mbit, at:10s:50mbit"),
        ("trace", "Recorded link in place of a rate: a file of Mahimahi's format"),
        ("burst", "Token bucket, e.g. 64kib"),
        ("overhead", "What the link layer adds, e.g. ethernet, 18b, 40b:atm"),
        ("buffer", "Queue in front of the rate, e.g. 1bdp, 100pkt, 64kb"),
        ("aqm", "How it is managed, e.g. fifo, codel, fq_codel:ecn, pie:15ms"),
        ("ecn", "Queue from which ECN-capable packets are marked"),
        ("cross", "Other flows through it, e.g. cubic:4:20ms, reno:2:50ms:10s+20s, cbr:20mbit"),
        ("rtt", "Round-trip propagation time, e.g. 25ms"),
        ("delay", "One-way propagation delay"),
        ("jitter", "e.g. 2ms, 2ms:normal, 2ms:pareto:over:50ms, 2ms:uniform:reorder"),
        ("slot", "Instants at which the medium takes packets, e.g. 10ms, 5ms-15ms:32"),
        ("aggregate", "Packets collected and sent together, e.g. 2ms, in:5ms:64"),
        ("loss", "e.g. 0.1pct, every:1000, list:5+17, burst:0.1pct:20, ge:0.2pct:20pct"),
        ("reorder", "e.g. 1pct:replace:5ms, 1pct:add:5ms, 1pct:swap, 1pct:ahead:50, flush:1s-10s:20:1ms"),
        ("duplicate", "e.g. 0.1pct"),
        ("corrupt", "e.g. 0.1pct"),
        ("blackout", "e.g. 10s+500ms, 10s+500ms/30s"),
        ("seed", "Seed of every random decision"),
        ("limit", "Delay error that 99 % of the packets must keep, or the run is void"),
    ];

    readonly List<Option<string[]>> _impairments = [];

    /// <summary>Which packets.</summary>
    public Option<string[]> Match { get; } = MatchOption.Create("Which packets, e.g. tcp port 443 out; the language of capture");

    /// <summary>Which profile.</summary>
    public Option<string> Profile { get; } = new("--profile") { Description = "dsl, lte, s1-nic-flush, s2-reorder, satellite, wifi, or a YAML file" };

    /// <summary>How long.</summary>
    public Option<string> For { get; } = new("--for") { Description = "Ends by itself after so long", DefaultValueFactory = _ => "60s" };

    /// <summary>Where the decision log goes.</summary>
    public Option<string> Log { get; } = new("--log") { Description = "Write every decision to this file (docs/formats/decision-log.md)" };

    /// <summary>Where the capture on the path goes.</summary>
    public Option<string> Between { get; } = new("--between")
    {
        Description = "Capture (pcapng) behind what is emulated in front of the observation point, before what is behind it",
    };

    /// <summary>Whether these files may replace others.</summary>
    public Option<bool> Force { get; } = ForceOption.Create();

    /// <summary>Bytes that capture keeps of each packet.</summary>
    public Option<int> Snap { get; } = new("--snap")
    {
        Description = "Bytes that capture keeps of each packet",
        DefaultValueFactory = _ => 120,
        Hidden = true,
        CustomParser = result => Number.Read<int>(result, "bytes", number => number > 0),
    };

    /// <summary>Allows a broad match.</summary>
    public Option<bool> All { get; } = new("--all") { Description = "Allow a match that no host, port or process narrows down" };

    /// <summary>The namespace of the near end of a TUN link.</summary>
    public Option<string> Near { get; } = new("--near") { Description = "Instead of this host's packets: join this network namespace (10.200.0.1) …" };

    /// <summary>The namespace of the far end of a TUN link.</summary>
    public Option<string> Far { get; } = new("--far") { Description = "… to this one (10.200.0.2)" };

    /// <summary>The network of a TUN link.</summary>
    public Option<string> Network { get; } = new("--network")
    {
        Description = "The link's network: 24 bits of IPv4, or 64 of IPv6 such as fd00::, where the ends are fd00::1 and fd00::2",
        DefaultValueFactory = _ => "10.200.0.0",
    };

    /// <summary>The interfaces of a bridge.</summary>
    public Option<string[]> Bridge { get; } = Pair(
        "--bridge", "A machine in the middle: pass every frame between these two Ethernet interfaces, near and far, through the path");

    /// <summary>The interfaces of a router.</summary>
    public Option<string[]> Route { get; } = Pair(
        "--route", "A machine in the middle: impair what this machine forwards between these two interfaces, near and far");

    /// <summary>The packet queue.</summary>
    public Option<ushort> Queue { get; } = new("--queue")
    {
        Description = "Number of the packet queue",
        DefaultValueFactory = _ => 7700,
        CustomParser = result => Number.Read<ushort>(result, "0 to 65535", _ => true),
    };

    /// <summary>Where WinDivert is.</summary>
    public Option<string> Driver { get; } = new("--driver")
    {
        Description = "Windows: the folder of WinDivert.dll and WinDivert64.sys",
    };

    /// <summary>A filter of the driver's own.</summary>
    public Option<string> DriverFilter { get; } = new("--windivert-filter")
    {
        Description = "Windows: divert by this filter of WinDivert's language; --match is looked at afterwards",
    };

    /// <summary>The priority among programs that use the driver.</summary>
    public Option<short> Priority { get; } = new("--divert-priority")
    {
        Description = "Windows: -30000 to 30000; of two programs that divert, the higher one is first",
        CustomParser = result =>
            Number.Read<short>(result, "-30000 to 30000", number => number is >= -DivertOptions.MaxPriority and <= DivertOptions.MaxPriority),
    };

    /// <summary>The near end of what the machine sends itself.</summary>
    public Option<string> LoopbackNear { get; } = new("--loopback-near")
    {
        Description =
            "Of what this machine sends itself, packets from this address are outgoing and all others incoming; on Linux a port will do. "
            + "If not given, on Linux those from the higher port are outgoing, on Windows all are",
    };

    /// <summary>Whether this machine is in the middle of the path.</summary>
    public bool IsMiddle(ParseResult parse) => parse.GetValue(Bridge) is { Length: > 0 } || parse.GetValue(Route) is { Length: > 0 };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        Option[] own = [Match, Profile, For, Log, Between, Snap, Force, All, Near, Far, Network, Bridge, Route, Queue, Driver, DriverFilter, Priority,
            LoopbackNear];
        Array.ForEach(own, command.Add);
        foreach ((string name, string description) in Impairments)
        {
            Option<string[]> option = new($"--{name}") { Description = description, Arity = ArgumentArity.ZeroOrMore };
            _impairments.Add(option);
            command.Add(option);
        }
    }

    /// <summary>Looks at what is read only later, so that nothing is started on a wrong command line.</summary>
    /// <exception cref="ImpairmentException">A value is not understood.</exception>
    /// <exception cref="OutputTakenException">A file to be written is there already.</exception>
    public void Check(ParseResult parse)
    {
        ReadMatch(parse);
        ReadTimeLimit(parse);
        ReadNetwork(parse);
        ReadLoopbackNear(parse);
        if ((parse.GetValue(Near) is null) != (parse.GetValue(Far) is null))
        {
            throw new ImpairmentException("--near and --far", "both, or neither", "one of them");
        }

        CheckPlace(parse);
        RequireWindowsFor(parse, Driver, DriverFilter, Priority);
        OutputFile.RequireFree(parse.GetValue(Log), parse.GetValue(Force));
        OutputFile.RequireFree(parse.GetValue(Between), parse.GetValue(Force));
    }

    // A link of its own, a bridge, a router, or this host's packets: one of them.
    void CheckPlace(ParseResult parse)
    {
        Option[] given = [.. new Option[] { Near, Bridge, Route }.Where(option => parse.GetResult(option) is { Implicit: false })];
        if (given.Length > 1)
        {
            throw new ImpairmentException(given[1].Name, "one place where packets are impaired", $"{given[0].Name} too");
        }

        if (given.Length > 0 && !OperatingSystem.IsLinux())
        {
            throw new ImpairmentException(given[0].Name, "Linux", "another system");
        }
    }

    // Ignoring them silently would put another filter in force than the one asked for.
    static void RequireWindowsFor(ParseResult parse, params Option[] options)
    {
        if (!OperatingSystem.IsWindows() && Array.Find(options, option => parse.GetResult(option) is { Implicit: false }) is { } given)
        {
            throw new ImpairmentException(given.Name, "Windows, the only system with WinDivert", "another");
        }
    }

    /// <summary>The match, refused when it is broad and nothing allows that.</summary>
    /// <returns>The match; everything on a link of its own when none is given.</returns>
    /// <exception cref="ImpairmentException">There is no match, no such rule, or it is too broad.</exception>
    public MatchRule ReadMatch(ParseResult parse)
    {
        bool isOwnLink = parse.GetValue(Near) is not null || IsMiddle(parse);
        bool isOptional = isOwnLink || parse.GetValue(DriverFilter) is not null;
        string text = ReadMatchText(parse);
        MatchRule rule = isOptional || MatchOption.Text(parse.GetValue(Match)) is not null
            ? MatchParser.Parse(text)
            : throw new ImpairmentException("--match", "which packets to impair, e.g. tcp port 443 out", "nothing");
        return isOwnLink || !rule.IsBroad || parse.GetValue(All)
            ? rule
            : throw new ImpairmentException("--match", "a host, port or process that narrows it down, or --all", $"'{text}'");
    }

    /// <summary>The match as text.</summary>
    /// <returns>The text; <c>all</c> when none is given.</returns>
    public string ReadMatchText(ParseResult parse) => MatchOption.Text(parse.GetValue(Match)) ?? "all";

    /// <summary>The network of a TUN link: its last byte, or its last eight, are the host's.</summary>
    /// <exception cref="ImpairmentException">It is none, or one of another length.</exception>
    public IpAddress ReadNetwork(ParseResult parse)
    {
        string text = parse.GetValue(Network)!;
        return IpAddress.TryParse(text, out IpAddress address) && (address.IsIpv4 ? (byte)address.Low : address.Low) == 0
            ? address
            : throw new ImpairmentException("--network", "an IPv4 network of 24 bits such as 10.200.0.0, or an IPv6 network of 64 such as fd00::", $"'{text}'");
    }

    /// <summary>How WinDivert is used.</summary>
    public DivertOptions ReadDivert(ParseResult parse) => new()
    {
        Folder = parse.GetValue(Driver) ?? DivertOptions.DefaultFolder,
        Filter = parse.GetValue(DriverFilter),
        Priority = parse.GetValue(Priority),
        LoopbackNear = ReadLoopbackNear(parse)?.Address,
    };

    /// <summary>The profile with the options given beside it.</summary>
    /// <exception cref="ImpairmentException">A value is not understood.</exception>
    public ImpairmentProfile ReadProfile(ParseResult parse)
    {
        ImpairmentOptionsParser parser = new();
        if (parse.GetValue(Profile) is { } profile)
        {
            ProfileReader.Read(profile, ReadProfileText(profile), parser);
            parser.BeginOverrides();
        }

        foreach (Option<string[]> option in _impairments)
        {
            foreach (string value in parse.GetValue(option) ?? [])
            {
                parser.Set(option.Name, option.Name[2..], value);
            }
        }

        return parser.Build();
    }

    /// <summary>How long to run.</summary>
    /// <exception cref="ImpairmentException">The value is no duration.</exception>
    public TimeSpan ReadTimeLimit(ParseResult parse)
    {
        string text = parse.GetValue(For)!;
        long ticks = ImpairmentOptionsParser.ReadTime(For.Name, text) / TimeSpan.NanosecondsPerTick;
        return ticks > 0 ? TimeSpan.FromTicks(ticks) : throw new ImpairmentException(For.Name, "a time above 0 such as 60s", $"'{text}'");
    }

    /// <summary>The near end of what this machine sends itself.</summary>
    /// <returns>The end; null when none is given.</returns>
    /// <exception cref="ImpairmentException">It is no address, and no port where that will do.</exception>
    public LoopbackEnd? ReadLoopbackNear(ParseResult parse) => parse.GetValue(LoopbackNear) switch
    {
        null => null,
        var text when OperatingSystem.IsLinux() && ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) && port > 0 =>
            new LoopbackEnd(null, port),
        var text when IpAddress.TryParse(text, out IpAddress address) => new LoopbackEnd(address),
        var text => throw new ImpairmentException(LoopbackNear.Name, "an address of this machine such as 127.0.0.1", $"'{text}'"),
    };

    /// <summary>An option that takes two interfaces.</summary>
    public static Option<string[]> Pair(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "NEAR FAR",
        Arity = new ArgumentArity(1, 2),
        AllowMultipleArgumentsPerToken = true,
        CustomParser = ReadPair,
    };

    static string[] ReadPair(ArgumentResult result)
    {
        string[] words = [.. result.Tokens.Select(token => token.Value)];
        if (words.Length != 2)
        {
            result.AddError($"{((OptionResult)result.Parent!).Option.Name}: expected two interfaces such as eth1 eth2, found '{string.Join(' ', words)}'");
        }

        return words;
    }

    static string ReadProfileText(string profile)
    {
        string Expected() => $"presets are {string.Join(", ", ImpairmentPresets.Names)}.";
        return ImpairmentPresets.FindText(profile)
            ?? (File.Exists(profile) ? File.ReadAllText(profile) : null)
            ?? throw new ShimException(Directory.Exists(profile)
                ? $"--profile {profile}: a folder, expected a YAML file or a preset; {Expected()}"
                : $"--profile {profile}: no such file, and no such preset; {Expected()}");
    }
}
