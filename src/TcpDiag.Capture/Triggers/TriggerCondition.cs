using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>An event that ends a recording (<c>--until</c>, docs/capture.md). <c>ToString</c> returns it as written on the command line.</summary>
public abstract record TriggerCondition
{
    private protected TriggerCondition()
    {
    }

    private protected abstract TriggerProbe CreateProbe();

    internal TriggerProbe Watch() => CreateProbe();
}

/// <summary>Waits for one condition. Not safe for several threads.</summary>
abstract class TriggerProbe
{
    /// <summary>Whether it wants to know the processes of the machine.</summary>
    public virtual bool NeedsProcesses => false;

    /// <summary>Handles an event of a matching connection.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="connection">Its connection; null when that is not known.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection) => null;

    /// <summary>Checks the clock and the processes.</summary>
    /// <param name="now">What time it is.</param>
    /// <param name="processes">Processes by id; empty when no probe needs them.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes) => null;
}

/// <summary>Both ends of a connection.</summary>
readonly record struct ConnectionEnds(Endpoint Local, Endpoint Remote)
{
    public override string ToString() => $"{Local} → {Remote}";
}
