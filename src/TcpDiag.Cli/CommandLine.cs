using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.IO;
using TcpDiag.Cli.Commands;

namespace TcpDiag.Cli;

/// <summary>
/// Parses and runs one command line. Wrong usage ends in <see cref="ExitCode.Usage"/> with a line that says what is
/// wrong and where help is; everything that escapes a command goes through <see cref="Failure"/>.
/// </summary>
/// <param name="output">Standard output.</param>
/// <param name="error">Standard error.</param>
sealed class CommandLine(TextWriter output, TextWriter error)
{
    // No response files: an argument may begin with '@'.
    static readonly ParserConfiguration Parsing = new() { ResponseFileTokenReplacer = null };

    /// <summary>Runs one command line to its end.</summary>
    /// <param name="args">The arguments behind the program's name.</param>
    /// <returns>The exit code.</returns>
    public int Run(string[] args)
    {
        RootCommand root = CreateRoot();
        ParseResult parse = root.Parse(args, Parsing);
        if (parse.Action is ParseErrorAction)
        {
            return ReportUsage(parse);
        }

        using var invocation = new Invocation { Output = output, Error = error };
        return Failure.Guard(() => parse.Invoke(invocation), error);
    }

    static RootCommand CreateRoot()
    {
        var root = new RootCommand("Why is this TCP connection slow, and did this build make it better or worse?");
        foreach (Option option in root.Options)
        {
            if (option is HelpOption help)
            {
                help.Action = new HelpText();
            }
        }

        foreach (Command command in CommandList.Create())
        {
            root.Add(command);
        }

        return root;
    }

    int ReportUsage(ParseResult parse)
    {
        foreach (ParseError wrong in parse.Errors)
        {
            error.WriteLine($"tcpdiag: {wrong.Message}");
        }

        error.WriteLine($"Help: {HelpText.Call(parse.CommandResult)} --help");
        return ExitCode.Usage;
    }
}
