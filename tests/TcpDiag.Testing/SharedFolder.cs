using System.IO;

namespace TcpDiag.Testing;

/// <summary>The read-only material beside the project (../shared): real traces with oracles, event lists, peers.</summary>
public static class SharedFolder
{
    /// <summary>The folder; it need not exist.</summary>
    public static string Root { get; } = Path.GetFullPath(ProjectFolder.PathOf("..", "shared"));

    /// <summary>Whether the material is there.</summary>
    public static bool Exists => Directory.Exists(Path.Combine(Root, "traces"));

    /// <summary>A file or folder of the material.</summary>
    public static string PathOf(params string[] parts) => Path.Combine([Root, .. parts]);
}
