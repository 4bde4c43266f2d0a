using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Simulator.Flows;

namespace TcpDiag.Truth.Causes;

/// <summary>A kind of transfer whose cause of slowness is known by how it is made.</summary>
/// <param name="Name">A short name.</param>
/// <param name="Expected">Findings of which the first one has to be one; empty for healthy traffic, where nothing may be more than a note.</param>
/// <param name="Paths">Paths, in the options of <c>shim run</c>; each is tried.</param>
/// <param name="Flow">The transfer, as a draw of random numbers makes it.</param>
sealed record Scenario(string Name, IReadOnlyList<string> Expected, IReadOnlyList<string> Paths, Func<Random, SimulatedFlow> Flow)
{
    /// <summary>Whether nothing is wrong.</summary>
    public bool IsHealthy => Expected.Count == 0;

    /// <summary>Reads a path.</summary>
    /// <param name="text">Options separated by blanks, <c>name=value</c>.</param>
    /// <param name="seed">Its seed.</param>
    /// <returns>What the path does.</returns>
    public static EmulatorSettings Path(string text, ulong seed)
    {
        var options = new ImpairmentOptionsParser();
        options.Set("seed", "seed", seed.ToString(CultureInfo.InvariantCulture));
        foreach (string option in text.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = option.Split('=', 2);
            options.Set(text, parts[0], parts[1]);
        }

        return options.Build().Settings;
    }
}
