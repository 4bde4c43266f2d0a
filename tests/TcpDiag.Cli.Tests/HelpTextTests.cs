using System;
using System.CommandLine;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Help;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class HelpTextTests
{
    [Fact]
    public void Invoke_Command_ListsArgumentsAndOptionsWithTheirValues()
    {
        var command = new Command("dump", "Prints events.")
        {
            new Argument<string[]>("file") { Description = "Traces to read.", Arity = ArgumentArity.OneOrMore },
            new Option<string>("--provider", "-p") { Description = "Only this provider.", HelpName = "NAME" },
            new Option<bool>("--json") { Description = "JSON lines." },
            new Option<bool>("--secret") { Hidden = true },
        };
        Assert.Equal(
            """
            Prints events.

            Usage: tcpdiag dump FILE… [options]

            Arguments:
              FILE…  Traces to read.

            Options:
              -p, --provider NAME  Only this provider.
              --json               JSON lines.
              -h, --help           Show help and usage information

            """.ReplaceLineEndings("\n"),
            Help(command));
    }

    [Fact]
    public void Invoke_LongDescription_IsWrappedUnderItself()
    {
        var command = new Command("x") { new Option<bool>("--y") { Description = string.Join(' ', Enumerable.Repeat("word", 25)) } };
        string[] lines = Help(command).TrimEnd().Split('\n');
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 100));
        Assert.StartsWith("              word", lines[^2], StringComparison.Ordinal);
    }

    [Fact]
    public void Invoke_Defaults_StandBehindTheirDescriptionAsTheyAreWritten()
    {
        var command = new Command("x", "Does.")
        {
            new Option<int>("--count") { Description = "How many", DefaultValueFactory = _ => 5 },
            new Option<double>("--scale") { Description = "How large", DefaultValueFactory = _ => 0.5 },
            new Option<TimeSpan>("--for") { Description = "How long", DefaultValueFactory = _ => TimeSpan.FromMinutes(2) },
            new Option<TimeSpan>("--wait") { Description = "Or not at all", DefaultValueFactory = _ => System.Threading.Timeout.InfiniteTimeSpan },
            new Option<long>("--size") { Description = "How much", DefaultValueFactory = _ => 1L << 30 },
            new Option<string[]>("--interface") { Description = "Where", DefaultValueFactory = _ => ["any"] },
            new Option<string[]>("--until") { Description = "When", DefaultValueFactory = _ => [] },
        };
        string[] rows = Help(command).Split('\n');
        Assert.Equal(
            [
                "How many (default: 5)", "How large (default: 0.5)", "How long (default: 2min)", "Or not at all", "How much (default: 1gib)",
                "Where (default: any)", "When",
            ],
            rows.Where(row => row.StartsWith("  --", StringComparison.Ordinal)).Select(row => row[25..].Trim()));
    }

    // A default is written once, by the help, not in the descriptions too.
    [Fact]
    public void Commands_Descriptions_LeaveDefaultsToTheHelp()
    {
        foreach (Command command in CommandList.Create().SelectMany(command => command.Subcommands.Prepend(command)).Where(command => !command.Hidden))
        {
            Assert.DoesNotContain(command.Options, option => option.HasDefaultValue && option.Description!.Contains("if not given", StringComparison.Ordinal));
            Assert.All(command.Options.Where(option => !option.Hidden), option => Assert.False(string.IsNullOrEmpty(option.Description), option.Name));
        }
    }

    static string Help(Command command)
    {
        var root = new RootCommand { command };
        ParseResult parse = root.Parse([command.Name], new ParserConfiguration());
        var output = new StringWriter();
        parse.InvocationConfiguration.Output = output;
        new HelpText().Invoke(parse);
        return output.ToString().ReplaceLineEndings("\n");
    }
}
