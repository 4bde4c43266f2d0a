using System;
using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using TcpDiag.Traces;

namespace TcpDiag.Cli;

/// <summary>
/// A line on a terminal's standard error while a trace is read: what, how much of it, how long. It appears after a second, so that short work stays quiet,
/// and is erased at the end. Figures are those of another thread's reader, looked at as they are.
/// </summary>
sealed class ReadingProgress : IDisposable
{
    static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    readonly LiveLine _line;
    readonly string _what;
    readonly Stopwatch _elapsed = Stopwatch.StartNew();
    readonly Lock _writing = new();
    readonly Timer? _timer;
    volatile TraceReader? _reader;
    bool _isOver;

    /// <summary>Begins to watch; shows nothing unless standard error is a terminal.</summary>
    /// <param name="parse">The command line that is run.</param>
    /// <param name="files">What is read.</param>
    public ReadingProgress(ParseResult parse, params string[] files)
    {
        _line = new LiveLine(parse.InvocationConfiguration.Error);
        string first = files[0] is "-" ? "standard input" : files[0];
        _what = files.Length == 1 ? first : string.Create(CultureInfo.InvariantCulture, $"{files.Length} files");
        _timer = _line.IsTerminal ? new Timer(_ => Show(), null, Quiet, Interval) : null;
    }

    /// <summary>What is read, once it is open; until then, only the time passes.</summary>
    public TraceReader? Reader
    {
        set => _reader = value;
    }

    /// <summary>Erases the line, so that something else can be written. It does not come back.</summary>
    public void End()
    {
        lock (_writing)
        {
            _isOver = true;
            _line.Erase();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer?.Dispose();
        End();
    }

    /// <summary>The line.</summary>
    /// <param name="what">What is read.</param>
    /// <param name="records">Records so far; null before the first.</param>
    /// <param name="share">How much of it, 0 … 1; null when not known.</param>
    /// <param name="elapsed">For how long.</param>
    internal static string Text(string what, long? records, double? share, TimeSpan elapsed)
    {
        string percent = share is { } known ? string.Create(CultureInfo.InvariantCulture, $", {known:0 %}") : string.Empty;
        string count = records is { } number ? string.Create(CultureInfo.InvariantCulture, $", {number:N0} records") : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"reading {what}{percent}{count}, {elapsed.TotalSeconds:0} s");
    }

    void Show()
    {
        lock (_writing)
        {
            if (!_isOver)
            {
                _line.Show(Text(_what, _reader?.RecordsRead, _reader?.ShareRead, _elapsed.Elapsed));
            }
        }
    }
}
