using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Every option of every command: what it cannot read is wrong usage, told in one line.</summary>
public sealed class OptionTests
{
    const string Garbage = "~garbage~";

    // Names of files, folders, programs, machines, sides and cells: any word may be one.
    static readonly string[] Names =
    [
        "--html", "--csv", "--out", "--key-file", "--process", "--interface", "--provider", "--connection", "--peer", "--speed", "--token-file",
        "--profile", "--log", "--between", "--near", "--far", "--driver", "--windivert-filter", "--listen",
        "--markdown", "--man", "--side", "--cell", "--good", "--bad", "--journal", "--recorded", "--base",
        "--store", "--machine", "--site", "--ndjson", "--parquet",
    ];

    // What a command needs besides the option, and what must stand on the line so that the option is looked at. Nothing here lets a command begin.
    static readonly Dictionary<string, string> Rest = new(StringComparer.Ordinal)
    {
        ["analyze"] = "no-such-file",
        ["info"] = "no-such-file",
        ["convert"] = "no-such-file no-such-output",
        ["redact"] = "no-such-file no-such-output",
        ["capture"] = "--all --dry-run",
        ["dump"] = "no-such-file",
        ["events diff"] = "22000 22621",
        ["shim run"] = "--near no-such-place --far no-such-place",
        ["shim serve"] = "--near no-such-place --far no-such-place",
        ["shim log"] = "no-such-file",
        ["score"] = "no-such-file",
        ["compare"] = "no-such-folder",
        ["matrix"] = "no-such-folder",
        ["bisect start"] = "--good 1 --bad 3",
        ["fleet report"] = "--store no-such-file",
        ["builds"] = "--store no-such-file",
        ["serve"] = "--store no-such-file",
        ["ingest"] = "no-such-folder --store no-such-file",
        ["store list"] = "--store no-such-file",
        ["store query"] = "recording --store no-such-file",
        ["store export"] = "recording --store no-such-file --csv no-such-output",
        ["store prune"] = "--store no-such-file --machine m-0",
        ["probe"] = "--listen 127.0.0.1:5001",
    };

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    /// <summary>Command and option, of every option that takes a value which can be wrong.</summary>
    public static TheoryData<string, string> Valued => Find(option => !Names.Contains(option.Name, StringComparer.Ordinal));

    /// <summary>Command and option, of every option that is a number.</summary>
    public static TheoryData<string, string> Numbers => Find(option => IsNumber(option.ValueType));

    [Theory]
    [MemberData(nameof(Valued))]
    public void Run_Garbage_IsWrongUsageInOneLine(string command, string option)
    {
        AssertWrong(command, option, Garbage);
        Assert.Contains(Garbage, _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Valued))]
    public void Run_EmptyValue_IsWrongUsageInOneLine(string command, string option) => AssertWrong(command, option, string.Empty);

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Run_NumberOfAnotherCountry_IsWrongUsage(string command, string option)
    {
        foreach (string number in (string[])["0,1", "1,000", "1e0", " 1", "+1", "0x1", "NaN", "Infinity", "1_0", "١", "99999999999999999999999999", "10pct"])
        {
            _error.GetStringBuilder().Clear();
            AssertWrong(command, option, number);
            Assert.Contains($"{option}: expected ", _error.ToString(), StringComparison.Ordinal);
            Assert.Contains($", found '{number}'", _error.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("capture --all --dry-run --split 10mb --for x", "--for: expected a time")]
    [InlineData("capture --all --dry-run --split 10mb --size x", "--size: expected a size")]
    [InlineData("capture --all --dry-run --no-events --until x", "--until: expected ")]
    [InlineData("lab run smoke --scale 0.1 --scale 0.2", "--scale: expected one value, found 2")]
    [InlineData("events diff 0 22621", "FROM: expected a build such as 26100, found '0'")]
    [InlineData("convert no-such-file no-such-output --from 1,5", "--from: cannot read '1,5'.")]
    [InlineData("convert no-such-file no-such-output --from 10:24", "--from: cannot read '10:24'.")]
    public void Run_ValueThatAnotherCheckNeeds_IsToldOnce(string line, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(line.Split(' ')));
        Assert.StartsWith($"tcpdiag: {message}", Assert.Single(Problems()), StringComparison.Ordinal);
    }

    void AssertWrong(string command, string option, string value)
    {
        string[] rest = Rest.TryGetValue(command, out string? words) ? words.Split(' ') : [];
        Assert.Equal(ExitCode.Usage, Run([.. command.Split(' '), .. rest, option, value]));
        Assert.Single(Problems());
        Assert.Empty(_output.ToString());
    }

    // Less the line that says where help is.
    IEnumerable<string> Problems() => _error.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Where(line => !line.StartsWith("Help: tcpdiag ", StringComparison.Ordinal));

    static TheoryData<string, string> Find(Predicate<Option> isMeant)
    {
        var found = new TheoryData<string, string>();
        foreach ((string name, Command command) in CommandList.Create().SelectMany(command => Walk(command.Name, command)))
        {
            foreach (Option option in command.Options.Where(option => option.ValueType != typeof(bool) && isMeant(option)))
            {
                found.Add(name, option.Name);
            }
        }

        return found;
    }

    static IEnumerable<(string Name, Command Command)> Walk(string name, Command command) =>
        [(name, command), .. command.Subcommands.SelectMany(child => Walk($"{name} {child.Name}", child))];

    static bool IsNumber(Type type)
    {
        Type one = type.GetElementType() ?? Nullable.GetUnderlyingType(type) ?? type;
        return one.IsPrimitive && one != typeof(bool);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
