using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace TcpDiag.Cli.Help;

/// <summary>The man page of a command, in the macros of man(7). The same at each time and place, so that packages can be compared.</summary>
static class ManPage
{
    /// <summary>Name of the page's file: <c>tcpdiag-events-diff.1</c>.</summary>
    public static string FileName(CommandHelp help) => PageName(help.Call) + ".1";

    /// <summary>Writes the page.</summary>
    /// <param name="output">Where it goes; ASCII.</param>
    /// <param name="help">The command.</param>
    /// <param name="version">Of the program.</param>
    public static void Write(TextWriter output, CommandHelp help, string version)
    {
        output.Write($".TH \"{Escape(PageName(help.Call).ToUpperInvariant())}\" 1 \"\" \"tcpdiag {Escape(version)}\" \"tcpdiag\"\n");
        output.Write(".nh\n.ad l\n"); // names of options are not to be broken, nor lines stretched
        output.Write($".SH NAME\n{Escape(PageName(help.Call))} \\- {Escape(help.Command.Description ?? string.Empty)}\n");
        output.Write($".SH SYNOPSIS\n.B {Escape(help.Usage)}\n");
        WriteRows(output, "COMMANDS", [.. help.Subcommands.Select(child => new HelpRow(child.Command.Name, child.Command.Description ?? string.Empty))]);
        WriteRows(output, "ARGUMENTS", [.. help.Arguments]);
        WriteRows(output, "OPTIONS", [.. help.Options]);
        WriteRows(output, "EXIT STATUS", ExitCode.Meanings);
        IEnumerable<string> related = help.Subcommands.Select(child => child.Call);
        string? above = help.Call.LastIndexOf(' ') is > 0 and var end ? help.Call[..end] : null;
        string[] pages = [.. related.Prepend(above).OfType<string>().Select(call => $"\\fB{Escape(PageName(call))}\\fR(1)")];
        if (pages.Length > 0)
        {
            output.Write($".SH SEE ALSO\n{string.Join(",\n", pages)}\n");
        }
    }

    static string PageName(string call) => call.Replace(' ', '-');

    static void WriteRows(TextWriter output, string title, IReadOnlyList<HelpRow> rows)
    {
        if (rows.Count == 0)
        {
            return;
        }

        output.Write($".SH {title}\n");
        foreach (HelpRow row in rows)
        {
            output.Write($".TP\n.B {Escape(row.Name)}\n{Escape(row.Text)}\n");
        }
    }

    // A backslash begins a request, a hyphen would become a dash, a point or an apostrophe at the beginning of a line a macro (groff(7)).
    static string Escape(string text)
    {
        var escaped = new StringBuilder(text is ['.' or '\'', ..] ? "\\&" : string.Empty);
        foreach (Rune rune in text.EnumerateRunes())
        {
            _ = rune.Value switch
            {
                '\\' => escaped.Append("\\e"),
                '-' => escaped.Append("\\-"),
                '"' => escaped.Append("\\(dq"),
                > 126 => escaped.Append(FormattableString.Invariant($"\\[u{rune.Value:X4}]")),
                _ => escaped.Append(rune),
            };
        }

        return escaped.ToString();
    }
}
