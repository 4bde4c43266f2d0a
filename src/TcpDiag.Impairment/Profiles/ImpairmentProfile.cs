using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Impairment.Profiles;

/// <summary>An emulated path with a name: what a profile file or a set of options asks for.</summary>
public sealed record ImpairmentProfile
{
    /// <summary>A short name, e.g. <c>s2-reorder</c>; empty for bare options.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>What it models, one or two sentences.</summary>
    public string Description { get; init; } = string.Empty;

    /// <summary>What the path does.</summary>
    public EmulatorSettings Settings { get; init; } = new();

    /// <summary>What 99 % of the delay errors must not exceed, or the run is void; nanoseconds.</summary>
    public long DelayErrorLimitNanos { get; init; } = 1_000_000;

    /// <summary>
    /// The options in force, one <c>name: value</c> each, without those replaced. Read in this order they give the same path; a decision log keeps
    /// them.
    /// </summary>
    public IReadOnlyList<string> Options { get; init; } = [];
}

/// <summary>The profiles that come with the program.</summary>
public static class ImpairmentPresets
{
    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names { get; } = ["dsl", "lte", "s1-nic-flush", "s2-reorder", "satellite", "wifi"];

    /// <summary>The text of a preset, a profile file like any other.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The text; null if there is no such preset.</returns>
    public static string? FindText(string name)
    {
        if (!((IList<string>)Names).Contains(name))
        {
            return null;
        }

        // Every name above is embedded by the project file; a test reads them all.
        using Stream stream = typeof(ImpairmentPresets).Assembly.GetManifestResourceStream($"{name}.yaml")!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}

/// <summary>A profile or an option that cannot be parsed: where it is, what was expected and what was found.</summary>
public sealed class ImpairmentException : Exception
{
    /// <summary>Describes the error.</summary>
    /// <param name="where">The option, or file:line:column.</param>
    /// <param name="expected">What would be right, with an example.</param>
    /// <param name="found">What is there.</param>
    public ImpairmentException(string where, string expected, string found)
        : base($"{where}: expected {expected}, found {found}.")
    {
    }
}
