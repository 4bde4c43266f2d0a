using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace TcpDiag.Cli.Help;

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
