using System.Collections.Generic;

namespace TcpDiag.Truth.Causes;

/// <summary>The corpus: healthy traffic, and causes of slowness.</summary>
static class Scenarios
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<Scenario> All { get; } = [.. HealthyScenarios.All, .. PathScenarios.All, .. HostScenarios.All];
}
