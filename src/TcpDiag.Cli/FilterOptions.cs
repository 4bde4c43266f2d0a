using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using TcpDiag.Traces.Filtering;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary>The options by which commands choose records, the same everywhere. A value that cannot be read is wrong usage.</summary>
sealed class FilterOptions
{
    readonly Option<string[]> _hosts = Values(
        "--host",
        "Only packets from or to this address or range (10.0.0.1, 10.0.0.0/8, 2001:db8::/32)",
        text => AddressRange.TryParse(text, out _));

    readonly Option<string[]> _ports = Values("--port", "Only packets from or to this port", text => TryParsePort(text, out _));
    readonly Option<string[]> _processes = Values("--process", "Only connections of this process: id, or beginning of its name", text => text.Length > 0);
    readonly Option<string[]> _interfaces = Values("--interface", "Only this interface: number, or part of its name", text => text.Length > 0);
    readonly Option<bool> _dropsOnly = new("--drops-only") { Description = "Only packets that Windows dropped" };
    readonly Option<bool> _noDrops = new("--no-drops") { Description = "Leave out reports of dropped packets" };
    readonly Option<bool> _eachPacketOnce = new("--each-packet-once") { Description = "Of a packet seen at several places only the one at its adapter" };
    readonly Option<string> _from = Value("--from", "Only from here on: seconds since the first record, or a time (2026-11-21T10:24:58Z)");
    readonly Option<string> _to = Value("--to", "Only up to here: seconds since the first record, or a time");

    /// <summary>Gives a command the options.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[_hosts, _ports, _processes, _interfaces, _dropsOnly, _noDrops, _eachPacketOnce, _from, _to])
        {
            command.Add(option);
        }

        command.Validators.Add(result =>
        {
            if (result.GetValue(_dropsOnly) && result.GetValue(_noDrops))
            {
                result.AddError("--drops-only and --no-drops leave nothing: give one of them");
            }
        });
    }

    /// <summary>What the user chose.</summary>
    public RecordFilter Read(ParseResult parse) => new()
    {
        Hosts = [.. Given(parse, _hosts).Select(text => AddressRange.TryParse(text, out AddressRange range) ? range : default)],
        Ports = [.. Given(parse, _ports).Select(text => TryParsePort(text, out ushort port) ? port : 0)],
        Processes = Given(parse, _processes),
        Interfaces = Given(parse, _interfaces),
        Drops = Choice(parse.GetValue(_dropsOnly), parse.GetValue(_noDrops)),
        EachPacketOnce = parse.GetValue(_eachPacketOnce),
        From = TimeBound.TryParse(parse.GetValue(_from), out TimeBound from) ? from : null,
        To = TimeBound.TryParse(parse.GetValue(_to), out TimeBound to) ? to : null,
    };

    static string[] Given(ParseResult parse, Option<string[]> option) => parse.GetValue(option) ?? [];

    static DropChoice Choice(bool isDropsOnly, bool isNoDrops)
    {
        DropChoice withoutDrops = isNoDrops ? DropChoice.NoDrops : DropChoice.All;
        return isDropsOnly ? DropChoice.DropsOnly : withoutDrops;
    }

    static bool TryParsePort(string text, out ushort port) => ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out port);

    static Option<string[]> Values(string name, string description, Predicate<string> isReadable)
    {
        var option = new Option<string[]>(name) { Description = description };
        Check(option, isReadable);
        return option;
    }

    static Option<string> Value(string name, string description)
    {
        var option = new Option<string>(name) { Description = description };
        Check(option, text => TimeBound.TryParse(text, out _));
        return option;
    }

    static void Check(Option option, Predicate<string> isReadable) => option.Validators.Add(result =>
    {
        foreach (Token token in result.Tokens)
        {
            if (!isReadable(token.Value))
            {
                result.AddError($"{option.Name}: cannot read '{token.Value}'. {option.Description}");
            }
        }
    });
}

/// <summary><c>--match</c>, the same for every command: all words up to the next option, so that they need no quotes.</summary>
static class MatchOption
{
    /// <summary>Creates the option.</summary>
    public static Option<string[]> Create(string description) => new("--match")
    {
        AllowMultipleArgumentsPerToken = true,
        HelpName = "TERMS",
        Description = description,
    };

    /// <summary>The words as one text.</summary>
    /// <returns>The text; null when there is none.</returns>
    public static string? Text(string[]? words) => words is { Length: > 0 } ? string.Join(' ', words) : null;

    /// <summary>The rule that the words make.</summary>
    /// <returns>The rule; null when there are no words.</returns>
    /// <exception cref="MatchException">They make none.</exception>
    public static MatchRule? Read(string[]? words) => Text(words) is { } text ? MatchParser.Parse(text) : null;
}
