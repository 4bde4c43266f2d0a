using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Impairment.Profiles;

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
