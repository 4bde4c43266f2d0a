using System;
using System.Collections.Generic;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// All that a recording needs from the machine. A single interface, so that a recording can run against stand-ins: programs with
/// scripted answers instead of netsh and pktmon.
/// </summary>
public interface ICaptureMachine
{
    /// <summary>Whether the process may start a recording.</summary>
    bool IsPrivileged { get; }

    /// <summary>Build number of Windows, e.g. 26100.</summary>
    int Build { get; }

    /// <summary>Bytes free for a file.</summary>
    /// <param name="path">The file or its folder; need not exist.</param>
    /// <returns>The bytes; null when not known.</returns>
    long? FreeBytes(string path);

    /// <summary>Checks whether only administrators can change a file or folder.</summary>
    /// <param name="path">Its path; a missing one can be changed by nobody.</param>
    /// <returns>Who else can, a clause; null when nobody can.</returns>
    string? WhyNotPrivate(string path);

    /// <summary>Gives a file the rights that a new file in its folder would have. A file moved within a disk keeps its old ones.</summary>
    /// <param name="path">The file.</param>
    /// <returns>Why it cannot, a sentence; null when it has them.</returns>
    string? InheritRights(string path);

    /// <summary>The event tracing sessions that run.</summary>
    /// <returns>The sessions; null when the system does not list them.</returns>
    IReadOnlyList<EtwSession>? Sessions();

    /// <summary>Starts an event tracing session of our own, which outlives this process.</summary>
    /// <param name="plan">The session.</param>
    /// <returns>What the system says if it refuses it; null when it runs.</returns>
    string? StartSession(EtwSessionPlan plan);

    /// <summary>Stops an event tracing session by its name: one of our own, or one whose program cannot.</summary>
    /// <param name="name">The name.</param>
    /// <returns>False when it could not be stopped.</returns>
    bool StopSession(string name);

    /// <summary>Has an event tracing session write the events that it holds in memory. One that cannot goes on as it was.</summary>
    /// <param name="name">The name.</param>
    void FlushSession(string name);

    /// <summary>Delivers events of the TCP stack live, in a session of its own that is not recorded.</summary>
    /// <param name="sink">Receives them, on another thread.</param>
    /// <returns>Ends it when disposed.</returns>
    /// <exception cref="CaptureException">The system refuses it.</exception>
    IDisposable Listen(IStackEventSink sink);

    /// <summary>Runs a program to its end. Ctrl-C at the terminal does not reach it.</summary>
    /// <param name="call">The program.</param>
    /// <param name="limit">When it is ended if it has not by then.</param>
    /// <param name="waiting">Called about once a second with the time it runs; null for none.</param>
    /// <returns>How it ended.</returns>
    /// <exception cref="CaptureException">It is not there, or cannot be started.</exception>
    ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null);
}

/// <summary>A running event tracing session, as Windows itself lists it.</summary>
/// <param name="Name">Its name, e.g. <c>NetTrace-…</c> for netsh, <c>PktMon</c> for pktmon.</param>
/// <param name="LogFile">The file it writes; empty for a session without one.</param>
/// <param name="EventsLost">Events lost so far; null when not known.</param>
/// <param name="BuffersLost">Buffers lost so far; null when not known.</param>
/// <param name="BytesWritten">Bytes written so far, in a ring including what was overwritten; null when not known.</param>
public sealed record EtwSession(string Name, string LogFile, long? EventsLost, long? BuffersLost, long? BytesWritten)
{
    /// <summary>Name prefix of real-time sessions that wait for <c>--until</c>; the id of their process follows.</summary>
    public const string LivePrefix = "tcpdiag-live-";
}
