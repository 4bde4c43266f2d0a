using System;
using System.IO;
using TcpDiag.Report;

namespace TcpDiag.Cli;

/// <summary>A line of a terminal that is written over again and again. Whoever writes anything else there ends it first.</summary>
/// <param name="error">Standard error.</param>
sealed class LiveLine(TextWriter error)
{
    const int LeastColumns = 20;
    const int MostColumns = 200;

    bool _isOpen;

    /// <summary>Whether somebody looks at it.</summary>
    public bool IsTerminal { get; } = !Console.IsErrorRedirected && error is not StringWriter;

    /// <summary>Puts a text in the place of the last one; not at all where nobody looks.</summary>
    /// <param name="text">One line; cut at the width of the window.</param>
    public void Show(string text)
    {
        if (IsTerminal)
        {
            Try(() => error.Write(Overwrite(text, Console.WindowWidth)));
            _isOpen = true;
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

    // The window may be closed while something is being finished, which goes on without anybody who looks.
    void Try(Action write)
    {
        try
        {
            write();
            error.Flush();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Nobody looks any more.
        }
    }

    // The last column stays free: some terminals go on to the next line once it is written.
    internal static string Overwrite(string text, int columns)
    {
        int width = Math.Clamp(columns, LeastColumns, MostColumns) - 1;
        return "\r" + SafeText.OneLine(text, width).PadRight(width);
    }
}
