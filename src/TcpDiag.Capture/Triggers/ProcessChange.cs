using System;
using System.Globalization;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>process start curl</c>, <c>process exit curl</c> or <c>process exit 1234</c>; looked for four times a second, so that one that is shorter may be missed.</summary>
/// <param name="IsStart">Whether it starts; else it exits.</param>
/// <param name="Name">The name without path or <c>.exe</c>, compared without regard to case; empty goes by the id.</param>
/// <param name="Id">The process id; 0 goes by the name.</param>
public sealed record ProcessChange(bool IsStart, string Name, int Id) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => $"process {(IsStart ? "start" : "exit")} {(Id != 0 ? Id.ToString(CultureInfo.InvariantCulture) : Name)}";

    /// <summary>Whether a process is meant.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="name">Its name.</param>
    /// <returns>True if so.</returns>
    internal bool IsMeant(int id, string name) => Id != 0 ? id == Id : string.Equals(name, Name, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new ProcessProbe(this);
}
