using System;
using System.CommandLine;
using System.IO;
using Spectre.Console;

namespace TcpDiag.Cli;

/// <summary>
/// Makes the consoles that reports are written to. Colours and the window's width only on a terminal, neither where
/// NO_COLOR asks for none (no-color.org); 80 columns everywhere else, so that output does not depend on who runs it.
/// </summary>
static class Terminal
{
    const int PlainColumns = 80;

    /// <summary>The console for results.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <returns>A console on standard output.</returns>
    public static IAnsiConsole Output(ParseResult parse) =>
        Create(parse.InvocationConfiguration.Output, Console.IsOutputRedirected);

    /// <summary>The console for progress and remarks.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <returns>A console on standard error.</returns>
    public static IAnsiConsole Error(ParseResult parse) =>
        Create(parse.InvocationConfiguration.Error, Console.IsErrorRedirected);

    static IAnsiConsole Create(TextWriter writer, bool isRedirected)
    {
        bool isTerminal = !isRedirected && writer is not StringWriter;
        bool hasColours = isTerminal && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(writer),
            Ansi = hasColours ? AnsiSupport.Detect : AnsiSupport.No,
            ColorSystem = hasColours ? ColorSystemSupport.Detect : ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        console.Profile.Width = isTerminal ? Math.Max(Console.WindowWidth, PlainColumns / 2) : PlainColumns;
        return console;
    }
}
