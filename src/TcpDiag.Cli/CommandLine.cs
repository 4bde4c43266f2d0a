using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Analyzing;
using TcpDiag.Cli.Bisect;
using TcpDiag.Cli.Commands;
using TcpDiag.Cli.Comparing;
using TcpDiag.Cli.Doctor;
using TcpDiag.Cli.Explain;
using TcpDiag.Cli.Help;
using TcpDiag.Cli.Lab;
using TcpDiag.Cli.Probe;
using TcpDiag.Cli.Recording;
using TcpDiag.Cli.Shim;
using TcpDiag.Cli.Simulate;
using TcpDiag.Cli.Store;
using TcpDiag.Cli.Troubleshoot;

namespace TcpDiag.Cli;

/// <summary>
/// Parses and runs one command line. Wrong usage ends in <see cref="ExitCode.Usage"/> with a line that says what is
/// wrong and where help is; everything that escapes a command goes through <see cref="Failure"/>.
/// </summary>
/// <param name="output">Standard output.</param>
/// <param name="error">Standard error.</param>
/// <param name="surroundings">The machine; the real one if not given.</param>
sealed class CommandLine(TextWriter output, TextWriter error, Surroundings? surroundings = null)
{
    // No response files: an argument may begin with '@'.
    static readonly ParserConfiguration Parsing = new() { ResponseFileTokenReplacer = null };

    /// <summary>Runs one command line to its end.</summary>
    /// <param name="args">The arguments behind the program's name.</param>
    public int Run(string[] args) => Failure.Guard(() => ParseAndRun(args), error);

    int ParseAndRun(string[] args)
    {
        RootCommand root = CreateRoot();
        ParseResult parse = root.Parse(args, Parsing);
        if (MisspeltOption(parse) is { } misspelt)
        {
            string meant = Suggestion.OfOption(parse.CommandResult, misspelt);
            string file = parse.CommandResult.Command.Arguments.Any(argument => argument.Name is "FILE") ? $" A file of that name: ./{misspelt}" : string.Empty;
            return ReportUsage(parse, [$"Unrecognized option '{misspelt}'.{meant}{file}"]);
        }

        if (parse.Action is ParseErrorAction)
        {
            return ReportUsage(parse, Unrecognized(parse) is { } problem ? [problem] : parse.Errors.Select(Describe));
        }

        using var invocation = new Invocation { Output = output, Error = error, Surroundings = surroundings ?? new() };
        return parse.Invoke(invocation);
    }

    /// <summary>All commands with their options.</summary>
    internal static RootCommand CreateRoot()
    {
        var root = new RootCommand("Why is this TCP connection slow, and did this build make it better or worse?");
        foreach (Option option in root.Options)
        {
            option.Action = option switch
            {
                HelpOption => new HelpText(),
                VersionOption => new VersionText(),
                _ => option.Action,
            };
        }

        foreach (Command command in CommandList.Create())
        {
            root.Add(command);
            Complete(command);
        }

        return root;
    }

    static void Complete(Command command)
    {
        Shield(command.Validators);
        foreach (Option option in command.Options)
        {
            Shield(option.Validators);
        }

        foreach (Argument argument in command.Arguments)
        {
            Shield(argument.Validators);
            argument.Validators.Add(RefuseEmpty);
        }

        foreach (Command child in command.Subcommands)
        {
            Complete(child);
        }
    }

    // A check that asks for a value which cannot be read gets an exception instead; the parser itself reports that value.
    static void Shield<T>(List<Action<T>> checks)
    {
        for (int i = 0; i < checks.Count; i++)
        {
            Action<T> check = checks[i];
            checks[i] = result =>
            {
                try
                {
                    check(result);
                }
                catch (InvalidOperationException)
                {
                    // The parser has an error of its own for the value.
                }
            };
        }
    }

    // The first word that is none: what stands behind it is no longer understood, and what seems to be missing may be what was mistyped.
    static string? Unrecognized(ParseResult parse)
    {
        Command command = parse.CommandResult.Command;
        string? word = parse.UnmatchedTokens is [var first, ..] ? first : null;
        return (word, command) switch
        {
            (['-', _, ..], _) => $"Unrecognized option '{word}'.{Suggestion.OfOption(parse.CommandResult, word)}",
            (not null, { Subcommands.Count: > 0 }) => $"Unrecognized command '{word}'.{Suggestion.OfCommand(command, word)}",
            (not null, _) => $"Unrecognized argument '{word}'.",
            (null, { Subcommands.Count: > 0, Action: null }) =>
                $"A command is missing: {string.Join(", ", command.Subcommands.Where(child => !child.Hidden).Select(child => child.Name))}.",
            _ => null,
        };
    }

    // System.CommandLine's own words for too few and too many values; all other messages are ours.
    static string Describe(ParseError error) => error.SymbolResult switch
    {
        ArgumentResult { Parent: CommandResult, Tokens.Count: var count, Argument: var argument } when count < argument.Arity.MinimumNumberOfValues =>
            count == 0 ? $"{argument.Name} is missing. {argument.Description}"
            : FormattableString.Invariant($"{argument.Name}: expected at least {argument.Arity.MinimumNumberOfValues}, found {count}. {argument.Description}"),
        OptionResult { IdentifierToken: null, Option: { Required: true } option } => $"{option.Name} {option.HelpName} is missing. {option.Description}",
        OptionResult { Tokens.Count: var count, Option: var option } when count < option.Arity.MinimumNumberOfValues => $"{option.Name}: its value is missing",
        OptionResult { Tokens.Count: var count, Option: var option } when count > option.Arity.MaximumNumberOfValues =>
            FormattableString.Invariant($"{option.Name}: expected one value, found {count}"),
        _ => error.Message,
    };

    // Commands that take any number of files would take a misspelt option as one more file; only after `--` is it meant as one.
    static string? MisspeltOption(ParseResult parse) => parse.Tokens.Any(token => token.Type == TokenType.DoubleDash)
        ? null
        : parse.CommandResult.Children.OfType<ArgumentResult>().SelectMany(result => result.Tokens)
            .Select(token => token.Value).FirstOrDefault(word => word is ['-', _, ..]);

    // An unset variable of a script leaves an empty argument, which names no file.
    static void RefuseEmpty(ArgumentResult result)
    {
        if (result.Tokens.Any(token => token.Value.Length == 0))
        {
            result.AddError("An argument is empty.");
        }
    }

    int ReportUsage(ParseResult parse, IEnumerable<string> problems)
    {
        foreach (string problem in problems)
        {
            Failure.Report(error, problem);
        }

        error.WriteLine($"Help: {HelpText.Call(parse.CommandResult)} --help");
        return ExitCode.Usage;
    }
}

/// <summary>
/// Every command of the program, in the order in which help lists them. Creating them must stay cheap: it happens at
/// each start, so options use plain types and nothing is loaded before a command runs.
/// </summary>
static class CommandList
{
    /// <summary>Creates the commands.</summary>
    /// <returns>The commands, each with its options and action.</returns>
    public static IReadOnlyList<Command> Create() =>
    [
        AnalyzeCommand.Create(),
        InfoCommand.Create(),
        ConvertCommand.Create(),
        RedactCommand.Create(),
        CaptureCommand.Create(),
        WatchCommand.Create(),
        DumpCommand.Create(),
        EventsCommand.Create(),
        DemoCommand.Create(),
        ShimCommand.Create(),
        LabCommand.Create(),
        SimulateCommand.Create(),
        ProbeCommand.Create(),
        ScoreCommand.Create(),
        LocateCommand.Create(),
        CompareCommand.Create(),
        MatrixCommand.Create(),
        BisectCommand.Create(),
        StoreCommand.Create(),
        IngestCommand.Create(),
        FleetCommand.Create(),
        BuildsCommand.Create(),
        ServeCommand.Create(),
        TroubleshootCommand.Create(),
        DoctorCommand.Create(),
        ExplainCommand.Create(),
        HelpCommand.Create(),
        CompletionCommand.Create(),
    ];
}
