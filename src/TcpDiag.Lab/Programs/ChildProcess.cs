using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Lab.Programs;

/// <summary>
/// A part of an experiment that runs as a process: it ends when its standard input does, so also when this process is killed. What it prints is kept;
/// every wait for it has an end.
/// </summary>
sealed class ChildProcess : IDisposable
{
    static readonly TimeSpan LastWordsLimit = TimeSpan.FromSeconds(1);

    // 4: a recording that lost something; its report says what.
    const int Damaged = 4;

    // What a shell adds to the number of the signal that ended a process.
    const int FirstSignal = 128;

    // What our programs begin their last words with.
    const string OwnName = "tcpdiag: ";

    readonly Process _process;
    readonly string _part;
    readonly Lines _output = new();
    readonly Lines _error = new();
    Action<string>? _follower;

    /// <summary>Starts it.</summary>
    /// <param name="part">What it is, as a sentence about it begins: <c>The emulated path</c>.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <exception cref="LabException">It did not start.</exception>
    public ChildProcess(string part, LabProgram program, params IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(program.File, [.. program.Prefix, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _part = part;
        _process = Process.Start(start) ?? throw new LabException($"{program.File} did not start.");
        _process.OutputDataReceived += (_, line) => Take(line.Data);
        _process.ErrorDataReceived += (_, line) => _error.Add(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The longest it may take to get ready.</summary>
    public TimeSpan StartLimit { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>The longest it may take to end once its input has ended.</summary>
    public TimeSpan EndLimit { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The last line it printed; empty without any.</summary>
    public string LastOutput => _output.Last;

    public string Output => _output.Text;

    /// <summary>Waits for the first line on its standard output: it is ready.</summary>
    /// <exception cref="LabException">It ended by itself and said why: so would the next.</exception>
    /// <exception cref="LabPartException">It was killed, or did not get ready in time.</exception>
    public void WaitForOutput(CancellationToken interruption) => WaitFor(_output, string.Empty, interruption);

    /// <summary>Waits for a line on its standard error that says that it is ready.</summary>
    /// <param name="start">What this line begins with; others may come before.</param>
    /// <param name="interruption">Ends the wait.</param>
    /// <exception cref="LabException">It ended by itself and said why: so would the next.</exception>
    /// <exception cref="LabPartException">It was killed, or did not get ready in time.</exception>
    public void WaitForError(string start, CancellationToken interruption) => WaitFor(_error, start, interruption);

    /// <summary>Has each further line of its standard output handed over, on a thread of the runtime's.</summary>
    public void Follow(Action<string> follower) => Volatile.Write(ref _follower, follower);

    /// <summary>Ends it, and waits until it has ended.</summary>
    /// <exception cref="LabPartException">It failed, or did not end.</exception>
    public void End(CancellationToken interruption)
    {
        _process.StandardInput.Close();
        WaitForExit(EndLimit, interruption);
    }

    /// <summary>Waits until it has ended by itself.</summary>
    /// <param name="limit">How long at most.</param>
    /// <param name="interruption">Ends the wait.</param>
    /// <param name="needed">Parts without which it would wait for nothing.</param>
    /// <exception cref="LabPartException">It or one of the others failed, or it did not end in time.</exception>
    public void WaitForExit(TimeSpan limit, CancellationToken interruption, params ChildProcess[] needed)
    {
        using CancellationTokenSource timer = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        timer.CancelAfter(limit);
        Task own = _process.WaitForExitAsync(timer.Token);
        _ = Task.WhenAny([own, .. needed.Select(part => part.WatchAsync(timer.Token))]).GetAwaiter().GetResult();
        interruption.ThrowIfCancellationRequested();
        if (timer.IsCancellationRequested)
        {
            throw new LabPartException(string.Create(CultureInfo.InvariantCulture, $"{_part} did not end within {limit.TotalSeconds} s."));
        }

        Array.ForEach(needed, part => part.Check());
        own.GetAwaiter().GetResult();
        Check();
    }

    /// <summary>Keeps what it printed on standard error, if anything.</summary>
    public void WriteLog(string path)
    {
        if (_error.Text is { Length: > 0 } text)
        {
            File.WriteAllText(path, text);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (!_process.HasExited)
        {
            _process.StandardInput.Close();
            if (!_process.WaitForExit(EndLimit))
            {
                _process.Kill();
                _process.WaitForExit();
            }
        }

        _process.Dispose();
    }

    void Take(string? line)
    {
        _output.Add(line);
        if (line is not null)
        {
            Volatile.Read(ref _follower)?.Invoke(line);
        }
    }

    // A part that did what it had to is no reason to stop waiting for another.
    async Task WatchAsync(CancellationToken interruption)
    {
        await _process.WaitForExitAsync(interruption).ConfigureAwait(false);
        if (!HasFailed)
        {
            await Task.Delay(Timeout.Infinite, interruption).ConfigureAwait(false);
        }
    }

    bool HasFailed => _process.HasExited && _process.ExitCode is not (0 or Damaged);

    void Check()
    {
        if (HasFailed)
        {
            throw new LabPartException(Reason());
        }
    }

    void WaitFor(Lines lines, string start, CancellationToken interruption)
    {
        if (lines.WaitFor(start, StartLimit, interruption))
        {
            return;
        }

        WaitForLastWords();
        bool hasRefused = HasFailed && _process.ExitCode < FirstSignal && _error.Last.Length > 0;
        throw hasRefused ? new LabException(LastWords) : new LabPartException(HasFailed ? Reason() : $"{_part} did not get ready.");
    }

    // Unlike the form with a time span, this one waits for what is printed to its end.
    void WaitForLastWords()
    {
        using CancellationTokenSource timer = new(LastWordsLimit);
        _ = Task.WhenAny(_process.WaitForExitAsync(timer.Token)).GetAwaiter().GetResult();
    }

    string LastWords => _error.Last.StartsWith(OwnName, StringComparison.Ordinal) ? _error.Last[OwnName.Length..] : _error.Last;

    string Reason() => _process.ExitCode switch
    {
        > FirstSignal and { } code => string.Create(CultureInfo.InvariantCulture, $"{_part} was ended by signal {code - FirstSignal}."),
        _ when _error.Last.Length > 0 => $"{_part} failed: {LastWords}",
        { } code => string.Create(CultureInfo.InvariantCulture, $"{_part} failed with exit code {code} and said nothing."),
    };

    // Filled by the runtime's reader, read by the experiment.
    sealed class Lines
    {
        readonly List<string> _lines = [];
        bool _isEnded;
        string _awaited = string.Empty;
        TaskCompletionSource? _found;

        public string Last
        {
            get
            {
                lock (_lines)
                {
                    return _lines.Count > 0 ? _lines[^1] : string.Empty;
                }
            }
        }

        public string Text
        {
            get
            {
                lock (_lines)
                {
                    return string.Concat(_lines.ConvertAll(line => line + "\n"));
                }
            }
        }

        public void Add(string? line)
        {
            lock (_lines)
            {
                _isEnded = line is null;
                if (line is not null)
                {
                    _lines.Add(line);
                }

                if (_isEnded || Has(_awaited))
                {
                    _found?.TrySetResult();
                }
            }
        }

        // Until there is a line that begins so; false at the end without one.
        public bool WaitFor(string start, TimeSpan limit, CancellationToken interruption)
        {
            TaskCompletionSource found = new(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_lines)
            {
                if (_isEnded || Has(start))
                {
                    return Has(start);
                }

                (_awaited, _found) = (start, found);
            }

            if (!found.Task.Wait(limit, interruption))
            {
                return false;
            }

            lock (_lines)
            {
                return Has(start);
            }
        }

        bool Has(string start) => _lines.Exists(line => line.StartsWith(start, StringComparison.Ordinal));
    }
}

/// <summary>How this program is started again, for parts that are processes of their own.</summary>
/// <param name="File">The executable.</param>
/// <param name="Prefix">Arguments in front of the verb, e.g. the assembly.</param>
public sealed record LabProgram(string File, IReadOnlyList<string> Prefix);
