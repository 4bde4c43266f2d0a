using System;
using System.Collections.Generic;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.StandIns;

/// <summary>A machine on which nothing is recorded. Tests say what its programs answer, and what else they need of it.</summary>
public abstract class QuietMachine : ICaptureMachine
{
    /// <inheritdoc/>
    public virtual bool IsPrivileged => true;

    /// <inheritdoc/>
    public int Build => 26100;

    /// <inheritdoc/>
    public string? WhyNotPrivate(string path) => null;

    /// <inheritdoc/>
    public string? InheritRights(string path) => null;

    /// <inheritdoc/>
    public long? FreeBytes(string path) => null;

    /// <inheritdoc/>
    public virtual IReadOnlyList<EtwSession>? Sessions() => [];

    /// <inheritdoc/>
    public string? StartSession(EtwSessionPlan plan) => throw new NotSupportedException();

    /// <inheritdoc/>
    public virtual bool StopSession(string name) => throw new NotSupportedException();

    /// <inheritdoc/>
    public virtual void FlushSession(string name) => throw new NotSupportedException();

    /// <inheritdoc/>
    public virtual IDisposable Listen(IStackEventSink sink) => throw new NotSupportedException();

    /// <inheritdoc/>
    public virtual ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null) => throw new NotSupportedException();
}
