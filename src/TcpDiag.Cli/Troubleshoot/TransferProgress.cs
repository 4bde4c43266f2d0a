using System;
using System.Diagnostics;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Doctor;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>
/// A line on a terminal's standard error while data is fetched or sent: how much, of how much, how fast. It appears after a second and is erased at the end.
/// </summary>
sealed class TransferProgress : IDisposable
{
    const double BitsPerByte = 8;

    static readonly TimeSpan Quiet = TimeSpan.FromSeconds(1);
    static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    readonly Sentences _sentences;
    readonly LiveLine _line;
    readonly Stopwatch _elapsed = Stopwatch.StartNew();
    readonly Lock _writing = new();
    readonly Timer? _timer;
    long _bytes;
    long _total;
    bool _isOver;

    /// <summary>Begins to watch; shows nothing unless standard error is a terminal.</summary>
    /// <param name="sentences">The language.</param>
    /// <param name="invocation">Where to write.</param>
    public TransferProgress(Sentences sentences, Invocation invocation)
    {
        _sentences = sentences;
        _line = new LiveLine(invocation.Error);
        _timer = _line.IsTerminal ? new Timer(_ => Show(), null, Quiet, Interval) : null;
    }

    /// <summary>Takes in how far it is.</summary>
    /// <param name="bytes">Bytes so far.</param>
    /// <param name="total">Of how many; 0 when not known.</param>
    public void Set(long bytes, long total)
    {
        Volatile.Write(ref _bytes, bytes);
        Volatile.Write(ref _total, total);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer?.Dispose();
        lock (_writing)
        {
            _isOver = true;
            _line.Erase();
        }
    }

    /// <summary>The line.</summary>
    /// <param name="sentences">The language.</param>
    /// <param name="bytes">Bytes so far.</param>
    /// <param name="total">Of how many; 0 when not known.</param>
    /// <param name="elapsed">For how long.</param>
    internal static string Text(Sentences sentences, long bytes, long total, TimeSpan elapsed)
    {
        var done = new Figure(Quantity.Bytes(bytes));
        var rate = new Figure(Quantity.BitRate(bytes * BitsPerByte / Math.Max(elapsed.TotalSeconds, 1e-3)));
        string time = FormattableString.Invariant($"{elapsed.TotalSeconds:0} s");
        return total > 0
            ? sentences.Of("progress.of", done, new Figure(Quantity.Bytes(total)), rate, time)
            : sentences.Of("progress", done, rate, time);
    }

    void Show()
    {
        lock (_writing)
        {
            if (!_isOver)
            {
                _line.Show(Text(_sentences, Volatile.Read(ref _bytes), Volatile.Read(ref _total), _elapsed.Elapsed));
            }
        }
    }
}
