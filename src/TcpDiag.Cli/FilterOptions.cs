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
    readonly Option<string[]> _hosts = FilterValues.Many(
        "--host",
        "Only packets from or to this address or range (10.0.0.1, 10.0.0.0/8, 2001:db8::/32); may be repeated",
        text => AddressRange.TryParse(text, out _));

    readonly Option<string[]> _ports = FilterValues.Many("--port", "Only packets from or to this port; may be repeated", FilterValues.IsPort);
    readonly Option<string[]> _processes = FilterValues.Many(
        "--process", "Only connections of this process: id, or beginning of its name; may be repeated", text => text.Length > 0);

    readonly Option<string[]> _interfaces = FilterValues.Many(
        "--interface", "Only this interface: number, or part of its name; may be repeated", text => text.Length > 0);

    readonly Option<bool> _dropsOnly = new("--drops-only") { Description = "Only packets that Windows dropped" };
    readonly Option<bool> _noDrops = new("--no-drops") { Description = "Leave out reports of dropped packets" };
    readonly Option<bool> _eachPacketOnce = new("--each-packet-once") { Description = "Of a packet seen at several places only the one at its adapter" };
    readonly Option<string> _from = FilterValues.From();
    readonly Option<string> _to = FilterValues.To();

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
        Hosts = FilterValues.Ranges(Given(parse, _hosts)),
        Ports = FilterValues.Ports(Given(parse, _ports)),
        Processes = Given(parse, _processes),
        Interfaces = Given(parse, _interfaces),
        Drops = Choice(parse.GetValue(_dropsOnly), parse.GetValue(_noDrops)),
        EachPacketOnce = parse.GetValue(_eachPacketOnce),
        From = FilterValues.Bound(parse.GetValue(_from)),
        To = FilterValues.Bound(parse.GetValue(_to)),
    };

    static string[] Given(ParseResult parse, Option<string[]> option) => parse.GetValue(option) ?? [];

    static DropChoice Choice(bool isDropsOnly, bool isNoDrops)
    {
        DropChoice withoutDrops = isNoDrops ? DropChoice.NoDrops : DropChoice.All;
        return isDropsOnly ? DropChoice.DropsOnly : withoutDrops;
    }
}

/// <summary>The values by which records and connections are chosen, read alike by every command.</summary>
static class FilterValues
{
    const string Times = "12.5s, 00:01:05 from the first record, or a time (2026-11-21T10:24:58Z)";

    /// <summary>Creates an option that may be repeated.</summary>
    public static Option<string[]> Many(string name, string description, Predicate<string> isReadable)
    {
        var option = new Option<string[]>(name) { Description = description };
        Check(option, isReadable);
        return option;
    }

    /// <summary>Creates <c>--from</c>.</summary>
    public static Option<string> From() => Time("--from", $"Only from here on: {Times}");

    /// <summary>Creates <c>--to</c>.</summary>
    public static Option<string> To() => Time("--to", $"Only up to here: {Times}");

    /// <summary>Whether text is a port.</summary>
    public static bool IsPort(string text) => ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out _);

    /// <summary>The ports of values that were checked.</summary>
    public static int[] Ports(string[] values) => [.. values.Select(text => ushort.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture))];

    /// <summary>The addresses and ranges among values.</summary>
    public static AddressRange[] Ranges(string[] values) =>
        [.. values.Select(text => AddressRange.TryParse(text, out AddressRange range) ? range : (AddressRange?)null).OfType<AddressRange>()];

    /// <summary>The bound that a value is; null for none.</summary>
    public static TimeBound? Bound(string? value) => TimeBound.TryParse(value, out TimeBound bound) ? bound : null;

    static Option<string> Time(string name, string description)
    {
        var option = new Option<string>(name) { HelpName = "TIME", Description = description };
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
