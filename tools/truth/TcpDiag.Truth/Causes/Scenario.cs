using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
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
    /// <summary>Findings that may stand beside the cause: true of such a run as well, or its consequence.</summary>
    public IReadOnlyList<string> Beside { get; init; } = [];

    /// <summary>
    /// Whether a capture holds what shows the cause. Where it does not, nothing can be named, and what is right is to name nothing that is not true.
    /// </summary>
    public Func<CaptureView, bool> Shows { get; init; } = _ => true;

    /// <summary>When the cause is over, ns from the begin of the run: a capture whose first packet comes later holds nothing of it.</summary>
    public long OverNanos { get; init; } = long.MaxValue;

    /// <summary>The same transfer without its cause: what differs in hosts and programs.</summary>
    public Func<SimulatedFlow, SimulatedFlow> Cured { get; init; } = flow => flow;

    /// <summary>The same path without the cause.</summary>
    public Func<string, string> CuredPath { get; init; } = WithoutFaults;

    /// <summary>The finding that names the cause best; empty for healthy traffic.</summary>
    public string Cause => IsHealthy ? string.Empty : Expected[0];

    /// <summary>Whether a finding is true of such a run.</summary>
    public bool Allows(string finding) => Expected.Contains(finding, StringComparer.Ordinal) || Beside.Contains(finding, StringComparer.Ordinal);

    /// <summary>Whether nothing is wrong.</summary>
    public bool IsHealthy => Expected.Count == 0;

    /// <summary>Reads a path. Its round trip is divided between the segment in front of the observation point and that behind it: the middle is in the
    /// middle.</summary>
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
            if (parts[0] is "rtt")
            {
                string quarter = Quarter(parts[1]);
                options.Set(text, "delay", quarter);
                options.Set(text, "delay", "behind:" + quarter);
                continue;
            }

            options.Set(text, parts[0], parts[1]);
        }

        return options.Build().Settings;
    }

    static string WithoutFaults(string path) => string.Join(
        ' ', path.Split(' ').Where(option => option.Split('=')[0] is not ("loss" or "reorder" or "corrupt" or "blackout" or "duplicate" or "ecn")));

    static string Quarter(string time)
    {
        int digits = time.TakeWhile(char.IsAsciiDigit).Count();
        return (double.Parse(time.AsSpan(0, digits), CultureInfo.InvariantCulture) / 4).ToString(CultureInfo.InvariantCulture) + time[digits..];
    }
}
