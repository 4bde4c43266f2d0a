using System;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

/// <summary><c>process 1234</c> or <c>process curl</c>: the process on this host. Attribution by the operating system may be missing or late.</summary>
/// <param name="Id">The process id; 0 goes by the name.</param>
/// <param name="Name">The name without path or <c>.exe</c>, compared without regard to case; empty goes by the id.</param>
public sealed record MatchProcess(int Id, string Name) : MatchRule
{
    /// <inheritdoc/>
    public override bool IsBroad => false;

    /// <inheritdoc/>
    public override bool NamesProcess => true;

    /// <inheritdoc/>
    public override bool Matches(in PacketFacts packet) =>
        Id != 0 ? packet.ProcessId == Id : string.Equals(packet.ProcessName, Name, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override string ToString() => $"process {(Id != 0 ? Id.ToString(CultureInfo.InvariantCulture) : Name)}";
}
