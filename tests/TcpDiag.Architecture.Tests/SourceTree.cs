using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;

namespace TcpDiag.Architecture.Tests;

/// <summary>The files of the project as git knows them where git is there, else those outside build output.</summary>
static class SourceTree
{
    static readonly string[] Ignored = [".git", "artifacts", "node_modules", "TestResults", ".vs", ".idea", "bin", "obj"];

    /// <summary>Every file, as a path below the root with forward slashes.</summary>
    public static IReadOnlyList<string> Files { get; } = [.. Walk(ProjectFolder.Root).Order(StringComparer.Ordinal)];

    /// <summary>The hand-written C# files.</summary>
    public static IEnumerable<string> Code =>
        Files.Where(file => file.EndsWith(".cs", StringComparison.Ordinal) && !file.Contains("/Generated/", StringComparison.Ordinal));

    /// <summary>The project files.</summary>
    public static IEnumerable<string> Projects => Files.Where(file => file.EndsWith(".csproj", StringComparison.Ordinal));

    /// <summary>The text of a file.</summary>
    /// <param name="file">One of <see cref="Files"/>.</param>
    /// <returns>Its text.</returns>
    public static string Read(string file) => File.ReadAllText(ProjectFolder.PathOf(file));

    static IEnumerable<string> Walk(string folder)
    {
        foreach (string file in Directory.EnumerateFiles(folder))
        {
            yield return Path.GetRelativePath(ProjectFolder.Root, file).Replace('\\', '/');
        }

        foreach (string child in Directory.EnumerateDirectories(folder).Where(child => !Ignored.Contains(Path.GetFileName(child), StringComparer.Ordinal)))
        {
            foreach (string file in Walk(child))
            {
                yield return file;
            }
        }
    }
}
