using System;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Capture.Triggers;

/// <summary><c>process start curl</c>, <c>process exit curl</c> or <c>process exit 1234</c>; looked for four times a second, so that one that is shorter may be missed.</summary>
/// <param name="IsStart">Whether it starts; else it exits.</param>
/// <param name="Name">The name without path or <c>.exe</c>, compared without regard to case; empty goes by the id.</param>
/// <param name="Id">The process id; 0 goes by the name.</param>
public sealed record ProcessChange(bool IsStart, string Name, int Id) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => $"process {(IsStart ? "start" : "exit")} {(Id != 0 ? Id.ToString(CultureInfo.InvariantCulture) : Name)}";

    /// <summary>Whether such a process runs on this machine now.</summary>
    /// <returns>True if so.</returns>
    public bool IsRunning() => ProcessList.Read().Any(process => IsMeant(process.Key, process.Value));

    /// <summary>Whether it can come true: an id that nobody has is not waited for.</summary>
    /// <returns>Why it cannot, a sentence; null when it can.</returns>
    public string? WhyNever() => Id == 0 || IsRunning() ? null : $"--until {this}: no process of this id runs.";

    /// <summary>Whether a process is meant.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="name">Its name.</param>
    /// <returns>True if so.</returns>
    internal bool IsMeant(int id, string name) => Id != 0 ? id == Id : string.Equals(name, Name, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    private protected override TriggerProbe CreateProbe() => new ProcessProbe(this);
}
