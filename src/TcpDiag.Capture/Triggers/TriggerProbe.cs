using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>Waits for one condition. Not safe for several threads.</summary>
abstract class TriggerProbe
{
    /// <summary>Whether it wants to know the processes of the machine.</summary>
    public virtual bool NeedsProcesses => false;

    /// <summary>Looks at an event of a connection that was asked for.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="connection">Its connection; null when that is not known.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection) => null;

    /// <summary>Looks at the clock, and at the machine.</summary>
    /// <param name="now">What time it is.</param>
    /// <param name="processes">Processes by id; empty when no probe needs them.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes) => null;
}
