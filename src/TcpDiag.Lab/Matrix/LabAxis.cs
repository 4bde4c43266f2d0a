using System.Collections.Generic;

namespace TcpDiag.Lab.Matrix;

/// <summary>A setting with the values it takes in turn; more than one makes it an axis of the matrix.</summary>
/// <param name="Name">The setting, e.g. <c>rtt</c>.</param>
/// <param name="Values">Its values, at least one; <c>none</c> leaves the setting out.</param>
public sealed record LabAxis(string Name, IReadOnlyList<string> Values)
{
    /// <summary>The value that leaves a setting out.</summary>
    public const string None = "none";
}
