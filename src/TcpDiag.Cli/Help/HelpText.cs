using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;

namespace TcpDiag.Cli.Help;

/// <summary>
/// Prints the help of a command. Ours instead of System.CommandLine's because that one compiles some seventy methods at
/// each start, a quarter of the time that <c>--help</c> may take.
/// </summary>
sealed class HelpText : SynchronousCommandLineAction
{
    const int PlainColumns = 100;
    const string Indent = "  ";

    /// <inheritdoc/>
    public override bool ClearsParseErrors => true;

    /// <inheritdoc/>
    public override int Invoke(ParseResult parseResult)
    {
        CommandHelp help = Of(parseResult.CommandResult);
        TextWriter output = parseResult.InvocationConfiguration.Output;
        output.WriteLine(help.Command.Description);
        output.WriteLine();
        output.WriteLine($"Usage: {help.Usage}");
        Print(output, "Commands", [.. help.Subcommands.Select(child => new HelpRow(child.Command.Name, child.Command.Description ?? string.Empty))]);
        Print(output, "Arguments", [.. help.Arguments]);
        Print(output, "Options", [.. help.Options]);
        return ExitCode.Done;
    }

    /// <summary>The words by which a command is called; the program is <c>tcpdiag</c> whatever file is running.</summary>
    /// <returns>E.g. <c>tcpdiag events diff</c>.</returns>
    public static string Call(CommandResult result) => Of(result).Call;

    static CommandHelp Of(CommandResult result)
    {
        string call = string.Empty;
        var parents = new List<Command>();
        for (CommandResult level = result; level.Parent is CommandResult parent; level = parent)
        {
            call = $" {level.Command.Name}{call}";
            parents.Insert(0, parent.Command);
        }

        return new CommandHelp("tcpdiag" + call, result.Command) { Parents = parents };
    }

    static void Print(TextWriter output, string title, List<HelpRow> rows)
    {
        if (rows.Count == 0)
        {
            return;
        }

        int columns = Terminal.ColumnsOf(output, PlainColumns);
        int width = rows.Max(row => row.Name.Length);
        output.WriteLine();
        output.WriteLine($"{title}:");
        foreach (HelpRow row in rows)
        {
            string head = Indent + row.Name.PadRight(width + Indent.Length);
            foreach (string line in WordWrap.Lines(row.Text.Split(' '), columns, head, new string(' ', head.Length)))
            {
                output.WriteLine(line);
            }
        }
    }
}
