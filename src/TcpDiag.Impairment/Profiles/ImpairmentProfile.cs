using System.Collections.Generic;

namespace TcpDiag.Impairment.Profiles;

/// <summary>An emulated path with a name: what a profile file or a set of options asks for.</summary>
public sealed record ImpairmentProfile
{
    /// <summary>A short name, e.g. <c>s2-reorder</c>; empty for bare options.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>What it stands for, one or two sentences.</summary>
    public string Description { get; init; } = string.Empty;

    /// <summary>What the path does.</summary>
    public EmulatorSettings Settings { get; init; } = new();

    /// <summary>What 99 % of the delay errors must not pass, or the run is void; nanoseconds.</summary>
    public long DelayErrorLimitNs { get; init; } = 1_000_000;

    /// <summary>The options in force, one <c>name: value</c> each: what was replaced is left out. Read in this order they make the same path; a decision log keeps them.</summary>
    public IReadOnlyList<string> Options { get; init; } = [];
}
