using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using System.Text;

namespace TcpDiag.Cli.Help;

/// <summary><c>tcpdiag help [COMMAND…]</c>: what <c>--help</c> of a command prints; man pages and the reference of the documentation.</summary>
static class HelpCommand
{
    public static Command Create()
    {
        var words = new Argument<string[]>("COMMAND") { Arity = ArgumentArity.ZeroOrMore, Description = "A command, e.g. analyze or shim run; none for all" };
        words.Validators.Add(Validate);
        words.CompletionSources.Add(context =>
            context.ParseResult.RootCommandResult.Command.Subcommands.Where(child => !child.Hidden).Select(child => child.Name));
        var man = new Option<string?>("--man") { HelpName = "FOLDER", Description = "Write the man pages of all commands into a folder instead" };
        var markdown = new Option<bool>("--markdown") { Description = "Print all commands and their options as Markdown instead" };
        var command = new Command("help", "Show the help of a command") { words, man, markdown };
        command.SetAction(parse =>
        {
            var program = new CommandHelp("tcpdiag", parse.RootCommandResult.Command);
            if (parse.GetValue(man) is { } folder)
            {
                return WriteManPages(program, folder);
            }

            if (parse.GetValue(markdown))
            {
                CommandReference.Write(parse.InvocationConfiguration.Output, program);
                return ExitCode.Done;
            }

            return parse.RootCommandResult.Command.Parse([.. parse.GetValue(words)!, "--help"]).Invoke(parse.InvocationConfiguration);
        });
        return command;
    }

    static int WriteManPages(CommandHelp program, string folder)
    {
        Directory.CreateDirectory(folder);
        foreach (CommandHelp help in program.All())
        {
            using var page = new StreamWriter(Path.Combine(folder, ManPage.FileName(help)), append: false, Encoding.ASCII);
            ManPage.Write(page, help, VersionText.Version);
        }

        return ExitCode.Done;
    }

    static void Validate(ArgumentResult result)
    {
        Command command = ((CommandResult)result.Parent!.Parent!).Command;
        foreach (Token word in result.Tokens)
        {
            Command? next = command.Subcommands.FirstOrDefault(child => string.Equals(child.Name, word.Value, StringComparison.Ordinal));
            if (next is null)
            {
                result.AddError($"Unrecognized command '{word.Value}'.{Suggestion.OfCommand(command, word.Value)}");
                return;
            }

            command = next;
        }
    }
}

/// <summary>Every command with its arguments and options as Markdown: docs/commands/reference.md.</summary>
static class CommandReference
{
    /// <summary>Writes the page.</summary>
    /// <param name="output">Where it goes.</param>
    /// <param name="program">The program.</param>
    public static void Write(TextWriter output, CommandHelp program)
    {
        output.Write("# Commands and their options\n\nMade of the program's own definitions by `tools/docs/reference.sh`; what `--help` and the man pages "
            + "say.\n");
        foreach (CommandHelp help in program.All().Where(help => help.Parents.Count > 0))
        {
            output.Write($"\n## {help.Call}\n\n{Wrap(help.Command.Description + ".")}\n\n```\n{help.Usage}\n```\n");
            HelpRow[] rows = [.. help.Arguments, .. help.Options.Where(row => !row.Name.EndsWith("--help", StringComparison.Ordinal))];
            if (rows.Length > 0)
            {
                output.Write("\n| | |\n|---|---|\n");
                WriteRows(output, rows);
            }
        }
    }

    static void WriteRows(TextWriter output, IEnumerable<HelpRow> rows)
    {
        foreach (HelpRow row in rows)
        {
            output.Write($"| `{row.Name.Replace("|", "\\|", StringComparison.Ordinal)}` | {Cell(row.Text)} |\n");
        }
    }

    // A bar would end the cell, an angle bracket begin a tag, a star or underscore an emphasis.
    static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal)
        .Replace("*", "\\*", StringComparison.Ordinal).Replace("_", "\\_", StringComparison.Ordinal);

    static string Wrap(string text)
    {
        const int Columns = 120;
        return string.Join('\n', WordWrap.Lines(text.Split(' '), Columns));
    }
}
