using System;
using System.CommandLine;
using System.IO;
using System.Linq;
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
