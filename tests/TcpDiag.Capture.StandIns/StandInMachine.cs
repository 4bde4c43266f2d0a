using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.StandIns;

/// <summary>A machine whose programs are this one, in its other role.</summary>
/// <param name="state">What the machine is like.</param>
sealed class StandInMachine(MachineState state) : ICaptureMachine
{
    // Long enough for a program to start on a busy machine; what is scripted to hang is waited for this long.
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(OperatingSystem.IsWindows() ? 10 : 4);

    public bool IsPrivileged => state.Answer("rights") is "success";

    public int Build => int.Parse(state.Answer("build") is "success" ? "26100" : state.Answer("build"), CultureInfo.InvariantCulture);

    public long? FreeBytes(string path) => state.Answer("free") is "success" ? null : long.Parse(state.Answer("free"), CultureInfo.InvariantCulture);

    public IReadOnlyList<EtwSession>? Sessions() => state.Answer("sessions") is "success" ? state.Sessions() : null;

    public bool StopSession(string name)
    {
        state.Note($"stop session {name}");
        bool can = state.Answer("stop-session") is "success";
        if (can)
        {
            state.End(name);
        }

        return can;
    }

    public ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
    {
        string host = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "standins.exe" : "standins");
        ProgramCall own = ProgramCall.Of(
            call.Program, ["program", state.Folder, Environment.ProcessId.ToString(CultureInfo.InvariantCulture), call.Program, .. call.Arguments]);
        return ProgramRunner.Run(host, own, limit < Patience ? limit : Patience, waiting);
    }
}
