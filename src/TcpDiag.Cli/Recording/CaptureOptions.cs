using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli.Recording;

/// <summary>The options of <c>tcpdiag capture</c> and the settings they stand for.</summary>
sealed class CaptureOptions
{
    const int MinSnapLength = 64;
    const int MaxSnapLength = 1 << 18;

    // The manifest of the bundle, which lists them, is read into memory.
    const int MaxPieces = 1000;

    // Less is no time at all. An option with a higher bound has a reason for it, and the message names the bound.
    static readonly TimeSpan ShortestTime = TimeSpan.FromMilliseconds(1);

    static readonly TimeSpan LongDuration = TimeSpan.FromHours(1);

    readonly Option<string[]> _match = MatchOption.Create(
        "Which traffic, e.g. tcp port 443, host 10.0.0.0/8, process nginx (on Windows all processes are recorded); the language of shim run");

    readonly Option<bool> _all = new("--all") { Description = "Record everything; instead of --match" };

    readonly Option<string[]> _interfaces = new("--interface", "-i")
    {
        Description = "Interface, or on Linux NAMESPACE/INTERFACE; may be given several times. On Windows netsh takes one",
        DefaultValueFactory = _ => [CaptureInterface.Any],
    };

    readonly Option<TimeSpan> _duration = Time("--for", "Longest duration: 10s, 2min", TimeSpan.FromMinutes(1), TimeSpan.FromMilliseconds(1));

    readonly Option<TimeSpan> _sample = Time(
        "--sample", "Time between two samples of each connection's tcp_info (Linux), 0s for none", TimeSpan.FromMilliseconds(10), TimeSpan.Zero);

    readonly Option<long> _size = new("--size")
    {
        Description = "Size at which recording stops: 500mb, 2gib",
        DefaultValueFactory = _ => 1L << 30,
        CustomParser = ParseSize,
    };

    readonly Option<int> _snap = new("--snap")
    {
        Description = "Bytes kept of each packet; its headers unless given",
        DefaultValueFactory = _ => CaptureSettings.HeaderSnapLength,
        CustomParser = result =>
            Number.Read<int>(result, $"{MinSnapLength} … {MaxSnapLength} bytes", number => number is >= MinSnapLength and <= MaxSnapLength),
    };

    readonly Option<string> _engine = new("--engine")
    {
        Description = "What records: auto, linux, netsh, pktmon, etw (events; packets only while pktmon or netsh runs beside it)",
        DefaultValueFactory = _ => EngineChoice.Auto,
    };

    readonly Option<int?> _build = new("--windows-build")
    {
        Description = "With --dry-run: plan for a Windows of this build, e.g. 26100",
        CustomParser = result => Number.Read<int>(result, "a build such as 26100", number => number > 0),
    };

    readonly Option<string?> _ring = new("--ring")
    {
        Arity = ArgumentArity.ZeroOrOne,
        HelpName = "TIME",
        Description = "Keep the last, e.g. 2min, or as much as --size holds, instead of stopping there; --for is then 1 h unless given",
    };

    readonly Option<string?> _split = new("--split")
    {
        HelpName = "SIZE|TIME",
        Description = "Go on in another trace after, e.g., 100mb, or 10min (Linux): in the bundle, or in NAME-001.pcapng and so on",
    };

    readonly Option<IReadOnlyList<TriggerCondition>> _until = new("--until")
    {
        AllowMultipleArgumentsPerToken = true,
        Arity = ArgumentArity.OneOrMore,
        HelpName = "CONDITION",
        DefaultValueFactory = _ => [],
        CustomParser = ParseUntil,
        Description = "Stop when this happens, several joined by or: " + TriggerText.Forms + ". --for is then 1 h unless given",
    };

    readonly Option<TimeSpan> _after = Time("--after", "Time to go on when --until has come true", TimeSpan.FromSeconds(5), TimeSpan.Zero);

    readonly Option<bool> _takeOver = new("--take-over")
    {
        Description = "Windows: stop a recording that somebody else runs, which loses it, and remove the filters of pktmon for good",
    };

    readonly Option<bool> _drops = new("--drops")
    {
        Description = "pktmon: record each packet at every component it passes, which shows who drops it, and takes several times the disk",
    };

    readonly Option<bool> _noEvents = new("--no-events") { Description = "Packets only, without events and samples of the TCP stack" };

    readonly Option<bool> _reads = new("--reads") { Description = "Linux: record each read of an application too (no byte counts)" };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        Option[] all =
        [
            _match, _all, _interfaces, _duration, _size, _ring, _split, _snap, _sample, _noEvents, _drops, _reads, _until, _after, _engine, _build, _takeOver,
        ];
        Array.ForEach(all, command.Add);

        command.Validators.Add(Validate);
        _engine.Validators.Add(ValidateEngine);
        _after.Validators.Add(ValidateAfter);
        _until.Validators.Add(ValidateUntil);
        _ring.Validators.Add(ValidateRing);
        _split.Validators.Add(ValidateSplit);
    }

    /// <summary>Whether several traces are asked for.</summary>
    /// <param name="result">The command line, also a wrong one.</param>
    public bool AsksForPieces(CommandResult result) => result.GetResult(_split) is not null;

    /// <summary>Whether several traces are to follow one another after a time.</summary>
    /// <param name="result">The command line, also a wrong one.</param>
    /// <returns>False for none, or by size.</returns>
    public bool IsSplitByTime(CommandResult result) => ReadSplit(result.GetValue(_split)).Time is not null;

    /// <summary>The settings asked for.</summary>
    public CaptureSettings Read(ParseResult parse) => new()
    {
        Match = MatchOption.Read(parse.GetValue(_match)) ?? new MatchAll(),
        Interfaces = [.. parse.GetValue(_interfaces)!.Select(CaptureInterface.Parse)],
        Duration = IsOpenEnded(parse) && parse.GetResult(_duration) is not { Implicit: false } ? LongDuration : parse.GetValue(_duration),
        MaxBytes = parse.GetValue(_size),
        SnapLength = parse.GetValue(_snap),
        SampleInterval = parse.GetValue(_sample),
        WithEvents = !parse.GetValue(_noEvents),
        WithDrops = parse.GetValue(_drops),
        WithReads = parse.GetValue(_reads),
        IsRing = parse.GetResult(_ring) is not null,
        RingTime = ReadRing(parse.GetValue(_ring)),
        SplitBytes = ReadSplit(parse.GetValue(_split)).Bytes,
        SplitTime = ReadSplit(parse.GetValue(_split)).Time,
        Until = parse.GetValue(_until)!,
        After = parse.GetValue(_after),
        LinkBitsPerSecond = IsOwnWindows(parse) ? WindowsMachine.LinkBitsPerSecond : LinkSpeed.Usual,
    };

    /// <summary>Whether the Windows in question is the one this runs on, so that its links are known.</summary>
    /// <returns>False on other systems, and where a build was named.</returns>
    [SupportedOSPlatformGuard("windows")]
    public bool IsOwnWindows(ParseResult parse) => OperatingSystem.IsWindows() && parse.GetValue(_build) is null;

    /// <summary>What will record.</summary>
    public EngineChoice ReadEngine(ParseResult parse) => EngineChoice.Make(parse.GetValue(_engine)!, parse.GetValue(_build));

    /// <summary>What will record.</summary>
    /// <param name="result">The command line, also a wrong one, and one that does not hold yet what is usual.</param>
    /// <exception cref="InvalidOperationException">The command line holds no value that can be read.</exception>
    public EngineChoice ReadEngine(CommandResult result)
    {
        string name = result.GetValue(_engine) ?? EngineChoice.Auto;
        return IsEngine(name) ? EngineChoice.Make(name, result.GetValue(_build)) : throw new InvalidOperationException(name);
    }

    /// <summary>What is waited for.</summary>
    /// <param name="result">The command line, also a wrong one.</param>
    /// <exception cref="InvalidOperationException">The command line holds no value that can be read.</exception>
    public IReadOnlyList<TriggerCondition> ReadUntil(CommandResult result) => result.GetValue(_until) ?? [];

    /// <summary>Whether a recording that someone else runs is stopped.</summary>
    public bool ReadTakeOver(ParseResult parse) => parse.GetValue(_takeOver);

    // Someone who waits for an event does not know when it comes.
    bool IsOpenEnded(ParseResult parse) => parse.GetResult(_ring) is not null || parse.GetValue(_until)!.Count > 0;

    static TimeSpan? ReadRing(string? text) => text is not null && QuantityText.TryParseTime(text, out TimeSpan time) && time > TimeSpan.Zero ? time : null;

    static (long? Bytes, TimeSpan? Time) ReadSplit(string? text)
    {
        if (text is not null && QuantityText.TryParseTime(text, out TimeSpan time) && time > TimeSpan.Zero)
        {
            return (null, time);
        }

        return text is not null && QuantityText.TryParseSize(text, out long bytes) && bytes > 0 ? (bytes, null) : default;
    }

    static IReadOnlyList<TriggerCondition> ParseUntil(ArgumentResult result)
    {
        if (TriggerText.TryParse(result.Tokens.Select(token => token.Value), out IReadOnlyList<TriggerCondition> conditions, out string? error))
        {
            return conditions;
        }

        result.AddError(error!);
        return [];
    }

    internal static Option<TimeSpan> Time(string name, string description, TimeSpan standard, TimeSpan min) => new(name)
    {
        Description = description,
        DefaultValueFactory = _ => standard,
        CustomParser = result => ParseTime(result, name, min),
    };

    static TimeSpan ParseTime(ArgumentResult result, string name, TimeSpan min)
    {
        string text = result.Tokens.Count > 0 ? result.Tokens[0].Value : string.Empty;
        if (!QuantityText.TryParseTime(text, out TimeSpan time) || time < min)
        {
            string range = min > ShortestTime ? $"from {QuantityText.Of(min)} to a day" : "of at most a day";
            result.AddError($"{name}: expected a time {range} such as 10s, 200ms or 2min, found '{text}'");
        }

        return time;
    }

    static long ParseSize(ArgumentResult result)
    {
        string text = result.Tokens.Count > 0 ? result.Tokens[0].Value : string.Empty;
        if (!QuantityText.TryParseSize(text, out long bytes) || bytes == 0)
        {
            result.AddError($"--size: expected a size such as 500mb or 2gib, found '{text}'");
        }

        return bytes;
    }

    void Validate(CommandResult result)
    {
        try
        {
            // Asking for everything is what --all is for.
            if (MatchOption.Read(result.GetValue(_match)) is null or MatchAll != result.GetValue(_all))
            {
                result.AddError("expected either --match TERMS, e.g. --match tcp port 443, or --all");
            }
        }
        catch (MatchException exception)
        {
            result.AddError(exception.Message);
        }
    }

    void ValidateUntil(OptionResult result)
    {
        if (result.GetValue(_noEvents) && result.GetValue(_until)?.Any(condition => condition is not ProcessChange) is true)
        {
            result.AddError("--until: waits for events, which --no-events leaves out");
        }
    }

    void ValidateRing(OptionResult result)
    {
        if (result.GetValue(_ring) is { } text && ReadRing(text) is null)
        {
            result.AddError($"--ring: expected a time of at most a day such as 2min, or none, found '{text}'");
        }
    }

    void ValidateSplit(OptionResult result)
    {
        (long? bytes, TimeSpan? time) = ReadSplit(result.GetValue(_split));
        TimeSpan duration = result.GetResult(_duration) is { Implicit: false } ? result.GetValue(_duration) : LongDuration;
        if (bytes is null && time is null)
        {
            result.AddError($"--split: expected a size such as 100mb or a time such as 10min, found '{result.GetValue(_split)}'");
        }
        else if (result.GetResult(_ring) is not null)
        {
            result.AddError("--split keeps all of a recording, --ring the last of it: give one of them");
        }
        else if (result.GetValue(_size) / bytes >= MaxPieces || duration / time >= MaxPieces)
        {
            result.AddError($"--split: expected at most {MaxPieces} traces within --size or --for; make each larger than '{result.GetValue(_split)}'");
        }
    }

    static bool IsEngine(string? name) => name is EngineChoice.Auto or EngineChoice.Linux || WindowsEngines.Find(name) is not null;

    void ValidateAfter(OptionResult result)
    {
        _ = result.GetValue(_after);
        if (!result.Implicit && result.GetResult(_until) is not { Implicit: false })
        {
            result.AddError("--after: how long to go on when --until has come true, which is not given");
        }
    }

    void ValidateEngine(OptionResult result)
    {
        string? name = result.GetValue(_engine);
        if (!IsEngine(name))
        {
            result.AddError($"--engine: expected auto, linux, {string.Join(", ", WindowsEngines.All.Select(engine => engine.Name))}; found '{name}'");
        }
    }
}
