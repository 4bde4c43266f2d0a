using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>reset</c>: a connection is reset, by either end.</summary>
public sealed record ResetSeen : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => "reset";

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new EventProbe("reset", stackEvent => stackEvent.Kind == StackEventKind.Reset);
}
