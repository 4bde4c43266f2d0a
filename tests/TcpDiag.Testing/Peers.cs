using System;
using System.IO;

namespace TcpDiag.Testing;

/// <summary>Independent programs that results are compared with.</summary>
public static class Peers
{
    /// <summary>
    /// The Python of a virtual environment in which dissect.etl is installed, or null: named by TCPDIAG_DISSECT_PYTHON,
    /// or the one that test.sh has made, and marked as ready, under artifacts/.
    /// </summary>
    public static string? DissectPython { get; } =
        Environment.GetEnvironmentVariable("TCPDIAG_DISSECT_PYTHON") is { Length: > 0 } named ? named
        : File.Exists(ProjectFolder.PathOf("artifacts", "peers", ".ready")) ? ProjectFolder.PathOf("artifacts", "peers", "bin", "python")
        : null;
}
