using System;
using System.CommandLine;
using System.IO;
using Spectre.Console;
using TcpDiag.Report;

namespace TcpDiag.Cli;

/// <summary>
/// Makes the consoles that reports are written to. Colours and the window's width only on a terminal, no colours where
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
        console.Profile.Width = isTerminal ? WindowColumns : PlainColumns;
        return console;
    }

    /// <summary>Columns of what results are written to: those of the window where it is a terminal.</summary>
    /// <param name="output">Standard output.</param>
    /// <param name="plain">Columns of anything else.</param>
    public static int ColumnsOf(TextWriter output, int plain = PlainColumns) =>
        Console.IsOutputRedirected || output is StringWriter ? plain : WindowColumns;

    // A terminal on a serial line does not know its size, and says 0.
    static int WindowColumns => Console.WindowWidth is > 0 and { } columns ? Math.Max(columns, PlainColumns / 2) : PlainColumns;
}

/// <summary>A line of a terminal that is overwritten again and again. End it before anything else is written there.</summary>
sealed class LiveLine(TextWriter error)
{
    const int MinColumns = 20;
    const int MaxColumns = 200;

    bool _isOpen;

    /// <summary>Whether standard error is a terminal.</summary>
    public bool IsTerminal { get; } = !Console.IsErrorRedirected && error is not StringWriter;

    /// <summary>Overwrites the last text with this one; does nothing without a terminal.</summary>
    /// <param name="text">One line; cut at the width of the window.</param>
    public void Show(string text)
    {
        if (IsTerminal)
        {
            Try(() => error.Write(Overwrite(text, Console.WindowWidth)));
            _isOpen = true;
        }
    }

    /// <summary>Leaves nothing of the line, and the cursor at its beginning.</summary>
    public void Erase()
    {
        if (_isOpen)
        {
            Try(() => error.Write(Overwrite(string.Empty, Console.WindowWidth) + "\r"));
            _isOpen = false;
        }
    }

    /// <summary>Goes on to the next line.</summary>
    public void End()
    {
        if (_isOpen)
        {
            Try(error.WriteLine);
            _isOpen = false;
        }
    }

    // The window may be closed while something is being finished, which goes on regardless.
    void Try(Action write)
    {
        try
        {
            write();
            error.Flush();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The terminal is gone.
        }
    }

    // The last column stays free: some terminals wrap as soon as it is written.
    internal static string Overwrite(string text, int columns)
    {
        int width = Math.Clamp(columns, MinColumns, MaxColumns) - 1;
        return "\r" + SafeText.OneLine(text, width).PadRight(width);
    }
}
