using System;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Triggers;

/// <summary>Waits for an event.</summary>
/// <param name="name">What it is called.</param>
/// <param name="isMeant">Whether an event is the one.</param>
sealed class EventProbe(string name, Func<StackEvent, bool> isMeant) : TriggerProbe
{
    /// <inheritdoc/>
    public override string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection) =>
        isMeant(stackEvent) ? connection is { } ends ? $"{name} of {ends} ({stackEvent.Source})" : $"{name} ({stackEvent.Source})" : null;
}
