using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Cli.Watching;

/// <summary>
/// Draws a table over and over in the same place of a terminal, on a screen of its own, and leaves the last one behind when it ends. The size is asked for each time, so that the
/// window may change. Without colours, so that NO_COLOR has nothing to switch off.
/// </summary>
/// <param name="output">The terminal.</param>
sealed class WatchScreen(TextWriter output) : IDisposable
{
    const string OwnScreen = "\x1b[?1049h\x1b[?25l";
    const string UsualScreen = "\x1b[?25h\x1b[?1049l";
    const string Empty = "\x1b[H\x1b[J";

    IReadOnlyList<string> _last = [];
    bool _isOpen;

    /// <summary>Whether standard output is a terminal that can be drawn on.</summary>
    public static bool IsPossible => !Console.IsOutputRedirected && Environment.GetEnvironmentVariable("TERM") is not "dumb";

    /// <summary>Columns of the terminal.</summary>
    public static int Width => Math.Max(Console.WindowWidth, 1);

    /// <summary>Lines of the terminal.</summary>
    public static int Height => Math.Max(Console.WindowHeight, 1);

    /// <summary>Draws.</summary>
    /// <param name="lines">Lines that fit.</param>
    public void Draw(IReadOnlyList<string> lines)
    {
        output.Write(_isOpen ? Empty : OwnScreen + Empty);
        _isOpen = true;

        // No line feed behind the last line, which may be the terminal's last.
        output.Write(string.Join("\r\n", lines));
        output.Flush();
        _last = lines;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_isOpen)
        {
            return;
        }

        _isOpen = false;
        output.Write(UsualScreen);
        foreach (string line in _last)
        {
            output.WriteLine(line);
        }
    }
}
