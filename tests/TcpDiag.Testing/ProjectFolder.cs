using System;
using System.IO;

namespace TcpDiag.Testing;

/// <summary>The project's own files, found from wherever the tests run.</summary>
public static class ProjectFolder
{
    const string Marker = "TcpDiag.sln";

    /// <summary>The folder that holds the solution.</summary>
    public static string Root { get; } = Find();

    /// <summary>A file or folder of the project.</summary>
    public static string PathOf(params string[] parts) => Path.Combine([Root, .. parts]);

    /// <summary>One of the project's own small traces in tests/fixtures.</summary>
    public static string Fixture(string name) => PathOf("tests", "fixtures", name);

    static string Find()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, Marker)))
            {
                return folder.FullName;
            }
        }

        throw new DirectoryNotFoundException($"no folder above {AppContext.BaseDirectory} holds {Marker}");
    }
}
