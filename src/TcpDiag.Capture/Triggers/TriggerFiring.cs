using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>That a condition has come true.</summary>
/// <param name="Condition">The condition as it was asked for.</param>
/// <param name="Time">When: of an event its own time, else when it was noticed.</param>
/// <param name="What">What has happened, a clause.</param>
public sealed record TriggerFiring(string Condition, TraceTime Time, string What);
