using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Windows;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.StandIns;

/// <summary>A machine whose programs are this one, in its other role.</summary>
/// <param name="state">What the machine is like.</param>
/// <param name="host">The program that stands in, where it is not <c>standins</c> beside this one.</param>
sealed class StandInMachine(MachineState state, string? host = null) : ICaptureMachine
{
    // Long enough for a program to start on a busy machine; what is scripted to hang is waited for this long.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(OperatingSystem.IsWindows() ? 10 : 4);

    public bool IsPrivileged => state.Answer("rights") is "success";

    public int Build => state.Build;

    // Under Wine a file belongs to the user of the Unix system, whoever he is there: no owner that Windows would trust.
    public string? WhyNotPrivate(string path) => OperatingSystem.IsWindows() ? null : PrivateFolder.WhyNot(path);

    public string? InheritRights(string path)
    {
        state.AddInheriting(path);
        return state.Answer("inherit") is "refused" ? "No rights here." : OperatingSystem.IsWindows() ? WindowsAccess.InheritRights(path) : null;
    }

    public long? FreeBytes(string path) => state.Answer("free") is "success" ? null : long.Parse(state.Answer("free"), CultureInfo.InvariantCulture);

    // Under the kernel's name of the file; under a meaningless one; not at all.
    public IReadOnlyList<EtwSession>? Sessions() => state.Answer("sessions") switch
    {
        "hidden" => null,
        "device-path" => [.. state.Sessions().Select(session => session with { LogFile = @"\Device\HarddiskVolume3" + session.LogFile })],
        "no-path" => [.. state.Sessions().Select(session => session with { LogFile = string.Empty })],
        "unlisted" => [],
        _ => state.Sessions(),
    };

    public bool StopSession(string name)
    {
        state.Note($"stop session {name}");
        bool can = state.Answer("stop-session") is "success";
        if (can)
        {
            WriteTrace(name);
            state.End(name);
        }

        return can;
    }

    public void FlushSession(string name)
    {
        state.Note($"flush session {name}");
        if (state.Answer("flush") is "success"
            && state.Sessions().FirstOrDefault(session => string.Equals(session.Name, name, StringComparison.Ordinal)) is { } session)
        {
            StandInTrace.WriteAll(session.LogFile, "growing", state.Packets);
        }
    }

    public string? StartSession(EtwSessionPlan plan)
    {
        state.Note($"start session {plan.Name}");
        if (state.Answer("etw-start") is "denied")
        {
            return "access is denied";
        }

        File.WriteAllBytes(plan.PieceMebibytes is null ? plan.LogFile : StandInTrace.PieceOf(plan.LogFile, 1), new byte[64]);
        state.Begin(new(plan.Name, plan.PieceMebibytes is null ? plan.LogFile : StandInTrace.PieceOf(plan.LogFile, null), 0, 0, 0));
        return null;
    }

    public IDisposable Listen(IStackEventSink sink)
    {
        if (state.Answer("listen") is "refused")
        {
            throw new CaptureException("Windows refuses a real-time session: no room");
        }

        string name = EtwSession.LivePrefix
            + (state.Answer("listen") is "of-the-dead" ? int.MaxValue : Environment.ProcessId).ToString(CultureInfo.InvariantCulture);
        state.Begin(new(name, string.Empty, 0, 0, 0));
        sink.Add(Reset("10.0.0.9"));
        sink.Add(Reset("10.0.0.1"));
        return new LiveSession(() => state.End(name));
    }

    static StackEvent Reset(string host)
    {
        var stackEvent = new StackEvent();
        stackEvent.Reset(StackEventKind.Reset, new((TimeProvider.System.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * 100),
            "Microsoft-Windows-TCPIP/1183 v0");
        stackEvent.Local = new(Address(host), 5000);
        stackEvent.Remote = new(Address("10.0.0.2"), 443);
        return stackEvent;
    }

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new FormatException(text);

    // A session of our own has no program that writes its trace when it ends.
    void WriteTrace(string name)
    {
        foreach (EtwSession session in state.Sessions())
        {
            if (string.Equals(session.Name, name, StringComparison.Ordinal) && name.StartsWith("tcpdiag-2", StringComparison.Ordinal))
            {
                StandInTrace.WriteAll(session.LogFile, state.Answer("etw-stop"), state.Packets);
            }
        }
    }

    sealed class LiveSession(Action end) : IDisposable
    {
        public void Dispose() => end();
    }

    public ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
    {
        using var disk = FullDisk.Around(state, call);
        string file = host ?? Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "standins.exe" : "standins");
        string process = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        ProgramCall own = call with { Arguments = ["program", state.Folder, process, call.Program, .. call.Arguments] };
        return Start(() => ProgramRunner.Run(file, own, limit < Patience ? limit : Patience, waiting));
    }

    // About one in a thousand programs that a program under Wine starts never begins, and Wine then says that of them. Nothing has run by then;
    // Windows knows no such case.
    static ProgramResult Start(Func<ProgramResult> run)
    {
        const int InternalError = 1359;
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                return run();
            }
            catch (CaptureException exception) when (exception.OsCode == InternalError && attempt < 3)
            {
                // Again.
            }
        }
    }
}
