using System;
using System.CommandLine;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;
using TcpDiag.Lab.Programs;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary>
/// The settings of one run, and its interruption. Ctrl-C ends the program at once with <see cref="ExitCode.Interrupted"/>,
/// unless the command has asked for <see cref="Interruption"/>: then that is cancelled, and the command is trusted to clean up and end with an
/// <see cref="OperationCanceledException"/>. A second Ctrl-C ends the program, but for one that is <see cref="BeginFinishing">finishing</see>.
/// </summary>
sealed class Invocation : InvocationConfiguration, IDisposable
{
    // timeout(1) signals the program and then its whole group; no one presses Ctrl-C twice so fast.
    const int RepeatMilliseconds = 200;

    // Long enough to remove an unfinished file, short enough to wait for.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    // Longer than Windows waits: 5 s when a window is closed, 20 s when it shuts down.
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
    /// How long the end of a session, a closed window or the end of the system, is held back for the command to end: on Windows the process ends when its
    /// handler returns. Its own end ends the wait.
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
        _ = Interruption; // a command that does nothing else has not asked for it
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
            // Windows does not let a handler be removed while one runs: we would wait for the handler that waits for us.
            _onInterrupt?.Dispose();
            _onTerminate?.Dispose();
            _onHangUp?.Dispose();
            _onQuit?.Dispose();
            _interruption?.Dispose();
        }
    }

    /// <summary>
    /// What a signal does. One while <see cref="BeginFinishing">finishing</see> is answered, also the first: otherwise the user would see no effect.
    /// </summary>
    internal void Interrupt(PosixSignalContext signal)
    {
        bool isEndOfSession = HoldBack > TimeSpan.Zero && signal.Signal is (PosixSignal.SIGHUP or PosixSignal.SIGTERM);
        _isHeldBack |= isEndOfSession;
        if (_isFinishing)
        {
            signal.Cancel = true;
            Failure.Report(Error, "still stopping; ended now, `tcpdiag capture recover` would have to finish it");
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
        Failure.Report(Error, "interrupted");
        Environment.Exit(ExitCode.Interrupted);
    }
}

/// <summary>
/// What commands need of the machine and tests replace by stand-ins: the recorders and the packet port, which only Windows has, and how this program is
/// started again.
/// </summary>
sealed record Surroundings
{
    /// <summary>How this program is started again.</summary>
    public LabProgram Program { get; init; } = OwnProgram.Start;

    /// <summary>What the user types.</summary>
    public TextReader Input { get; init; } = Console.In;

    /// <summary>Whether the process has administrator's rights.</summary>
    public Func<bool> IsPrivileged { get; init; } = () => Environment.IsPrivilegedProcess;

    /// <summary>Whether somebody reads what is asked, and can answer.</summary>
    public Func<bool> IsAtTerminal { get; init; } = () => !(Console.IsInputRedirected || Console.IsOutputRedirected || Console.IsErrorRedirected);

    /// <summary>Starts programs with administrator's rights; null where whoever has none must ask for them himself (sudo).</summary>
    public IElevation? Elevation { get; init; } = OperatingSystem.IsWindows() ? new ShellElevation() : null;

    /// <summary>The time zone of the user.</summary>
    public Func<TimeZoneInfo> LocalZone { get; init; } = () => TimeZoneInfo.Local;

    /// <summary>Opens the machine for recording.</summary>
    public Func<ICaptureMachine> OpenMachine { get; init; } =
        () => OperatingSystem.IsWindows() ? new WindowsMachine() : throw new CaptureException("recording with programs of Windows needs Windows.");

    /// <summary>The folder that holds those of running recordings.</summary>
    public Func<string> CaptureRoot { get; init; } = () => OperatingSystem.IsWindows() ? WindowsMachine.Root : string.Empty;

    /// <summary>The folder that holds what was changed; null where nothing is.</summary>
    public Func<string?> StateRoot { get; init; } = () => OperatingSystem.IsWindows() ? Path.GetDirectoryName(WindowsMachine.Root)
        : OperatingSystem.IsLinux() ? "/var/lib/tcpdiag"
        : null;

    /// <summary>Opens the port that diverts packets.</summary>
    public Func<DivertOptions, MatchRule, IPacketPort> OpenDivert { get; init; } =
        (options, match) => OperatingSystem.IsWindows() ? new DivertPort(options, match) : throw new ShimException("WinDivert diverts on Windows only.");
}

/// <summary>
/// How this program is started again: as the executable beside its assemblies, by the runtime where there is only the assembly, or as the one file that it is,
/// whatever that was called by who downloaded it.
/// </summary>
static class OwnProgram
{
    static readonly string Host = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "tcpdiag.exe" : "tcpdiag");
    static readonly string Assembly = Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll");

    /// <summary>The executable, and what comes in front of the verb.</summary>
    public static LabProgram Start => File.Exists(Host) ? new LabProgram(Host, [])
        : File.Exists(Assembly) ? new LabProgram("dotnet", [Assembly])
        : new LabProgram(Environment.ProcessPath ?? Host, []);
}
