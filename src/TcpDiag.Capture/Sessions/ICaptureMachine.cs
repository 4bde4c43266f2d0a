using System;
using System.Collections.Generic;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// All that a recording needs of the machine. One port, so that a recording can run against stand-ins: programs with
/// scripted answers in place of netsh and pktmon.
/// </summary>
public interface ICaptureMachine
{
    /// <summary>Whether the process may start a recording.</summary>
    bool IsPrivileged { get; }

    /// <summary>Build number of Windows, e.g. 26100.</summary>
    int Build { get; }

    /// <summary>Bytes free for a file.</summary>
    /// <param name="path">The file or its folder; need not exist.</param>
    /// <returns>The bytes; null when the system does not tell.</returns>
    long? FreeBytes(string path);

    /// <summary>Looks whether only administrators can change a file or folder.</summary>
    /// <param name="path">Its path; what is not there can be changed by nobody.</param>
    /// <returns>Who else can, a clause; null when nobody can.</returns>
    string? WhyNotPrivate(string path);

    /// <summary>Gives a file the rights of a file that is made where it is. One that moves within a disk keeps those it was made with.</summary>
    /// <param name="path">The file.</param>
    /// <returns>Why it cannot, a sentence; null when it has them.</returns>
    string? InheritRights(string path);

    /// <summary>The event tracing sessions that run.</summary>
    /// <returns>The sessions; null when the system does not tell.</returns>
    IReadOnlyList<EtwSession>? Sessions();

    /// <summary>Begins an event tracing session of our own, which goes on without this process.</summary>
    /// <param name="plan">The session.</param>
    /// <returns>What the system says if it refuses it; null when it runs.</returns>
    string? StartSession(EtwSessionPlan plan);

    /// <summary>Stops an event tracing session by its name: one of our own, or one whose program cannot.</summary>
    /// <param name="name">The name.</param>
    /// <returns>False when it could not be stopped.</returns>
    bool StopSession(string name);

    /// <summary>Begins to hand over events of the TCP stack while they happen, in a session of its own that is not recorded.</summary>
    /// <param name="sink">Takes them, on another thread.</param>
    /// <returns>Ends it when disposed.</returns>
    /// <exception cref="CaptureException">The system refuses it.</exception>
    IDisposable Listen(IStackEventSink sink);

    /// <summary>Runs a program to its end. Ctrl-C at the terminal does not reach it.</summary>
    /// <param name="call">The program.</param>
    /// <param name="limit">When it is ended if it has not by then.</param>
    /// <param name="waiting">Called about once a second with the time it runs; null for nobody.</param>
    /// <returns>How it ended.</returns>
    /// <exception cref="CaptureException">It is not there, or cannot be started.</exception>
    ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null);
}
