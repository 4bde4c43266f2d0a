using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace TcpDiag.Lab.Programs;

/// <summary>
/// A part of an experiment that runs as a process: it ends when its standard input does, so also when this process is killed. What it prints is kept; every wait for it has an end.
/// </summary>
sealed class ChildProcess : IDisposable
{
    static readonly TimeSpan StartLimit = TimeSpan.FromSeconds(20);
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    readonly Process _process;
    readonly string _name;
    readonly Lines _output = new();
    readonly Lines _error = new();

    /// <summary>Starts it.</summary>
    /// <exception cref="LabException">It did not start.</exception>
    public ChildProcess(LabProgram program, params IEnumerable<string> arguments)
    {
        ProcessStartInfo start = new(program.File, [.. program.Prefix, .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _name = string.Join(' ', arguments);
        _process = Process.Start(start) ?? throw new LabException($"{program.File} did not start.");
        _process.OutputDataReceived += (_, line) => _output.Add(line.Data);
        _process.ErrorDataReceived += (_, line) => _error.Add(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The last line it printed; empty without any.</summary>
    public string LastOutput => _output.Last;

    /// <summary>Everything it printed.</summary>
    public string Output => _output.Text;

    /// <summary>Waits for the first line on its standard output: it is ready.</summary>
    /// <exception cref="LabException">It ended, or printed nothing for 20 s.</exception>
    public void WaitForOutput(CancellationToken interruption) => WaitFor(_output, interruption);

    /// <summary>Waits for the first line on its standard error: it is ready.</summary>
    /// <exception cref="LabException">It ended, or printed nothing for 20 s.</exception>
    public void WaitForError(CancellationToken interruption) => WaitFor(_error, interruption);

    /// <summary>Ends it, and waits until it has ended.</summary>
    /// <exception cref="LabException">It failed, or did not end.</exception>
    public void End(CancellationToken interruption)
    {
        _process.StandardInput.Close();
        WaitForExit(EndLimit, interruption);
    }

    /// <summary>Waits until it has ended by itself.</summary>
    /// <exception cref="LabException">It failed, or did not end in time.</exception>
    public void WaitForExit(TimeSpan limit, CancellationToken interruption)
    {
        using CancellationTokenSource timer = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        timer.CancelAfter(limit);
        try
        {
            _process.WaitForExitAsync(timer.Token).GetAwaiter().GetResult();
        }
        catch (OperationCanceledException) when (!interruption.IsCancellationRequested)
        {
            throw new LabException(string.Create(CultureInfo.InvariantCulture, $"{_name}: still running after {limit.TotalSeconds} s. {_error.Last}"));
        }

        // 4: a recording that lost something, which its report tells.
        if (_process.ExitCode is not (0 or 4))
        {
            throw new LabException(string.Create(CultureInfo.InvariantCulture, $"{_name}: exit code {_process.ExitCode}. {_error.Last}"));
        }
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

    void WaitFor(Lines lines, CancellationToken interruption)
    {
        if (!lines.WaitForFirst(StartLimit, interruption))
        {
            throw new LabException($"{_name}: did not get ready. {_error.Last}");
        }
    }

    // Filled by the runtime's reader, read by the experiment.
    sealed class Lines
    {
        readonly List<string> _lines = [];
        readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

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
            if (line is not null)
            {
                lock (_lines)
                {
                    _lines.Add(line);
                }
            }

            _begun.TrySetResult();
        }

        // The end without a line sets the event too.
        public bool WaitForFirst(TimeSpan limit, CancellationToken interruption) => _begun.Task.Wait(limit, interruption) && Last.Length > 0;
    }
}
