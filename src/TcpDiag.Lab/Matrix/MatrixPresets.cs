using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Lab.Matrix;

/// <summary>The matrices that come with the program.</summary>
public static class MatrixPresets
{
    /// <summary>Their names.</summary>
    public static IReadOnlyList<string> Names { get; } = ["limits", "peer", "s1", "s2", "s2-late", "s2-reorder", "s3", "s4", "smoke", "varied", "wan"];

    /// <summary>The text of a preset, a matrix file like any other.</summary>
    /// <param name="name">Its name.</param>
    /// <returns>The text; null if there is no such preset.</returns>
    public static string? FindText(string name)
    {
        if (!((IList<string>)Names).Contains(name))
        {
            return null;
        }

        // Every name above is embedded by the project file; a test reads them all.
        using Stream stream = typeof(MatrixPresets).Assembly.GetManifestResourceStream($"lab.{name}.yaml")!;
        using StreamReader reader = new(stream);
        return reader.ReadToEnd();
    }
}
