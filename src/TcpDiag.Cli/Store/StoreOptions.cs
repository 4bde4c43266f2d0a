using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Cli.Store;

/// <summary>Options that the commands on stores have in common.</summary>
static class StoreOptions
{
    /// <summary><c>--store FILE</c> of a command that works on one.</summary>
    public static Option<string> File() =>
        new("--store") { HelpName = "FILE", Description = "The store: a file, or clickhouse://HOST:8123/DATABASE", Required = true };

    /// <summary><c>--store FILE</c> of a command that has another purpose.</summary>
    public static Option<string?> Besides() =>
        new("--store") { HelpName = "FILE", Description = "Keep the result in this store too; made where there is none" };

    /// <summary><c>--with-addresses</c>.</summary>
    public static Option<bool> WithAddresses() =>
        new("--with-addresses") { Description = "Store addresses and names as they are, not as pseudonyms" };

    /// <summary><c>--site NAME</c> of what is added.</summary>
    public static Option<string?> Site() => new("--site") { HelpName = "NAME", Description = "What the place is called, for reports by site" };
}

/// <summary>The options by which rows of a store are chosen.</summary>
sealed class StoreFilterOptions
{
    const long NanosPerDay = 86_400_000_000_000;

    readonly Option<string?> _recording = Word("--recording", "SHA", "Of the recording whose SHA-256 begins so");
    readonly Option<string?> _after = Word("--after", "DAY", "Recorded on this day or later, e.g. 2026-11-23, UTC");
    readonly Option<string?> _before = Word("--before", "DAY", "Recorded before this day, UTC");
    readonly Option<string?> _machine = Word("--machine", "NAME", "Of this machine, as the store calls it");
    readonly Option<string?> _site = Word("--site", "NAME", "Of this site");
    readonly Option<string?> _platform = Choice.Option("--platform", "Of this system", "windows", "linux");
    readonly Option<string?> _build = Word("--build", "BUILD", "Of this build of Windows or release of the kernel, e.g. 26100");

    public StoreFilterOptions()
    {
        _recording.Validators.Add(result => Check(result, IsHash, "the beginning of a SHA-256 in small hexadecimal digits"));
        _after.Validators.Add(result => Check(result, IsDay, "a day such as 2026-11-23"));
        _before.Validators.Add(result => Check(result, IsDay, "a day such as 2026-11-23"));
        _build.Validators.Add(result => Check(result, text => text is [>= '0' and <= '9', ..], "a build such as 26100 or 6.18.44"));
    }

    /// <summary>All of them.</summary>
    public IEnumerable<Option> All => [_recording, _after, _before, _machine, _site, _platform, _build];

    /// <summary>Reads them.</summary>
    public StoreFilter Read(ParseResult parse)
    {
        StoreFilter filter = StoreFilter.All;
        filter = And(filter, RowHead.SourceName, ConditionKind.BeginsWith, parse.GetValue(_recording));
        filter = And(filter, "machine", ConditionKind.Is, parse.GetValue(_machine));
        filter = And(filter, "site", ConditionKind.Is, parse.GetValue(_site));
        filter = And(filter, "platform", ConditionKind.Is, parse.GetValue(_platform)?.ToLowerInvariant());
        filter = And(filter, "build", ConditionKind.Is, parse.GetValue(_build));
        filter = AndDay(filter, ConditionKind.Min, parse.GetValue(_after));
        return AndDay(filter, ConditionKind.Below, parse.GetValue(_before));
    }

    static StoreFilter And(StoreFilter filter, string column, ConditionKind kind, string? value) =>
        value is null ? filter : filter.And(column, kind, StoreValue.Of(value));

    static StoreFilter AndDay(StoreFilter filter, ConditionKind kind, string? day) => day is null
        ? filter
        : filter.And("started_ns", kind, StoreValue.Of((DayOf(day)!.Value.DayNumber - DateOnly.FromDateTime(DateTime.UnixEpoch).DayNumber) * NanosPerDay));

    static Option<string?> Word(string name, string help, string description) => new(name) { HelpName = help, Description = description };

    static void Check(OptionResult result, Predicate<string> isRight, string expected)
    {
        if (result.Tokens is [.., var token] && !isRight(token.Value))
        {
            result.AddError($"{result.Option.Name}: expected {expected}, found '{token.Value}'");
        }
    }

    static bool IsHash(string text) => text.Length is > 0 and <= 64 && text.All(char.IsAsciiHexDigitLower);

    // Nanoseconds of 64 bits reach from 1677 to 2262.
    static bool IsDay(string text) => DayOf(text) is { Year: >= 1700 and <= 2200 };

    static DateOnly? DayOf(string text) =>
        DateOnly.TryParseExact(text, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly day) ? day : null;
}

/// <summary>The conditions on single columns: <c>--is COLUMN=WORD</c>, <c>--min COLUMN=NUMBER</c>, <c>--max COLUMN=NUMBER</c>.</summary>
sealed class StoreConditionOptions
{
    readonly Option<string[]> _is = Conditions("--is", "Where a column is so, e.g. finding=path-loss");
    readonly Option<string[]> _min = Conditions("--min", "Where a column is at least so, e.g. lost_ns=1000000000");
    readonly Option<string[]> _max = Conditions("--max", "Where a column is at most so");

    /// <summary>All of them.</summary>
    public IEnumerable<Option> All => [_is, _min, _max];

    /// <summary>Reads them.</summary>
    /// <param name="parse">The command line.</param>
    /// <param name="table">The table.</param>
    /// <param name="filter">What else is asked.</param>
    public StoreFilter Read(ParseResult parse, StoreTable table, StoreFilter filter)
    {
        foreach ((Option<string[]> option, ConditionKind kind) in Kinds)
        {
            filter = (parse.GetValue(option) ?? []).Aggregate(filter, (all, text) => all.And(ColumnOf(text), kind, ValueOf(table, text)!.Value));
        }

        return filter;
    }

    /// <summary>Sees that they fit a table.</summary>
    public void Check(CommandResult result, StoreTable table)
    {
        foreach ((Option<string[]> option, _) in Kinds)
        {
            foreach (string text in result.GetResult(option)?.Tokens.Select(token => token.Value) ?? [])
            {
                if (Wrong(table, text) is { } wrong)
                {
                    result.AddError($"{option.Name}: {wrong}, found '{text}'");
                }
            }
        }
    }

    (Option<string[]> Option, ConditionKind Kind)[] Kinds => [(_is, ConditionKind.Is), (_min, ConditionKind.Min), (_max, ConditionKind.Max)];

    static string? Wrong(StoreTable table, string text) =>
        !text.Contains('=', StringComparison.Ordinal) ? "expected COLUMN=VALUE"
        : table.Find(ColumnOf(text)) is null ? $"expected a column of {table.Name} (tcpdiag store schema lists them)"
        : ValueOf(table, text) is null ? "expected a number" : null;

    static string ColumnOf(string text) => text.Split('=', 2)[0];

    static StoreValue? ValueOf(StoreTable table, string text)
    {
        string value = text.Split('=', 2)[1];
        return table.Require(ColumnOf(text)).Kind is not (ColumnKind.Number or ColumnKind.Flag) ? StoreValue.Of(value)
            : long.TryParse(value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number) ? StoreValue.Of(number)
            : null;
    }

    static Option<string[]> Conditions(string name, string description) => new(name) { HelpName = "COLUMN=VALUE", Description = description };
}
