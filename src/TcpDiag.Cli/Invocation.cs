using System;
using System.CommandLine;
using System.Runtime.InteropServices;
using System.Threading;

namespace TcpDiag.Cli;

/// <summary>
/// The settings of one run, and its interruption. Ctrl-C ends the program at once with <see cref="ExitCode.Interrupted"/>,
/// unless the command has asked for <see cref="Interruption"/>: then it is told, and trusted to clean up and end with an
/// <see cref="OperationCanceledException"/>. A second Ctrl-C ends the program, but for one that is <see cref="BeginFinishing">finishing</see>.
/// </summary>
sealed class Invocation : InvocationConfiguration, IDisposable
{
    // timeout(1) signals the program and then its whole group; nobody presses Ctrl-C twice so fast.
    const int RepeatMilliseconds = 200;

    // Long enough to remove an unfinished file, short enough to wait for.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    // Longer than Windows waits for anybody: 5 s when a window is closed, 20 s when it shuts down.
    static readonly TimeSpan WindowsPatience = TimeSpan.FromSeconds(30);

    static readonly ManualResetEventSlim Never = new();

    CancellationTokenSource? _interruption;
    long _interrupted;
    PosixSignalRegistration? _onInterrupt;
    PosixSignalRegistration? _onTerminate;
    PosixSignalRegistration? _onHangUp;
    PosixSignalRegistration? _onQuit;
    Timer? _lastResort;
    bool _isReading;
    volatile bool _isFinishing;
    volatile bool _isHeldBack;

    /// <summary>Creates the settings: errors are ours to report, and nothing cuts clean-up short.</summary>
    public Invocation()
    {
        EnableDefaultExceptionHandler = false;
        ProcessTerminationTimeout = null;
    }

    /// <summary>The machine.</summary>
    public Surroundings Surroundings { get; init; } = new();

    /// <summary>
    /// How long the end of a session, a closed window or the end of the system, is held back for the command to end: on Windows the process ends when its handler returns. Its own
    /// end ends the wait.
    /// </summary>
    internal TimeSpan HoldBack { get; init; } = OperatingSystem.IsWindows() ? WindowsPatience : TimeSpan.Zero;

    /// <summary>Cancelled by the first Ctrl-C, Ctrl-Break (Ctrl-\, SIGQUIT), SIGTERM or SIGHUP. Asking for it promises to end soon after.</summary>
    public CancellationToken Interruption
    {
        get
        {
            _interruption ??= new CancellationTokenSource();
            _onInterrupt ??= PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
            _onTerminate ??= PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
            _onHangUp ??= PosixSignalRegistration.Create(PosixSignal.SIGHUP, Interrupt); // the terminal was closed, the line to the machine broke
            _onQuit ??= PosixSignalRegistration.Create(PosixSignal.SIGQUIT, Interrupt); // Ctrl-Break
            return _interruption.Token;
        }
    }

    /// <summary>
    /// <see cref="Interruption"/> for a command that reads: a read may wait for a pipe for ever and cannot be cancelled, so
    /// that the process ends a second after the first signal even when the command does not.
    /// </summary>
    public CancellationToken InterruptionOfReading
    {
        get
        {
            _isReading = true;
            return Interruption;
        }
    }

    /// <summary>Whether signals reach us; else the first one ends the program.</summary>
    internal bool IsListening => _onInterrupt is not null;

    /// <summary>From here on no signal ends the program: what is under way must reach its end, or the machine is left as it should not be.</summary>
    public void BeginFinishing()
    {
        _ = Interruption; // a command that only finishes has not asked for it
        _isFinishing = true;
    }

    /// <summary>What was under way has reached its end, and something else begins.</summary>
    public void EndFinishing() => _isFinishing = false;

    /// <inheritdoc/>
    public void Dispose()
    {
        _lastResort?.Dispose();
        if (!_isHeldBack)
        {
            // Windows lets nobody take a handler away while one runs: we would wait for the one that waits for us.
            _onInterrupt?.Dispose();
            _onTerminate?.Dispose();
            _onHangUp?.Dispose();
            _onQuit?.Dispose();
            _interruption?.Dispose();
        }
    }

    /// <summary>What a signal does. One while <see cref="BeginFinishing">finishing</see> is answered, also the first: there is nothing else to be seen of it.</summary>
    /// <param name="signal">The signal.</param>
    internal void Interrupt(PosixSignalContext signal)
    {
        bool isEndOfSession = HoldBack > TimeSpan.Zero && signal.Signal is (PosixSignal.SIGHUP or PosixSignal.SIGTERM);
        _isHeldBack |= isEndOfSession;
        if (_isFinishing)
        {
            signal.Cancel = true;
            Failure.Tell(Error, "still stopping; ended now, `tcpdiag capture recover` would have to finish it");
            _interruption?.Cancel();
        }
        else if (_interruption is { IsCancellationRequested: false } interruption)
        {
            signal.Cancel = true;
            _interrupted = Environment.TickCount64;
            _lastResort = _isReading ? new Timer(_ => End(), null, Patience, Timeout.InfiniteTimeSpan) : null;
            interruption.Cancel();
        }
        else if (Environment.TickCount64 - _interrupted < RepeatMilliseconds)
        {
            signal.Cancel = true;
        }

        if (isEndOfSession && signal.Cancel)
        {
            Never.Wait(HoldBack);
            _isHeldBack = false;
        }
    }

    void End()
    {
        Failure.Tell(Error, "interrupted");
        Environment.Exit(ExitCode.Interrupted);
    }
}
