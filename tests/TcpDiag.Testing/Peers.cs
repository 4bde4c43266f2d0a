using System;
using System.IO;
using System.Linq;

namespace TcpDiag.Testing;

/// <summary>Independent programs that results are compared with.</summary>
public static class Peers
{
    /// <summary>
    /// The Python of a virtual environment in which dissect.etl is installed, or null: named by TCPDIAG_DISSECT_PYTHON,
    /// or the one that test.sh makes under artifacts/.
    /// </summary>
    public static string? DissectPython { get; } = new[]
    {
        Environment.GetEnvironmentVariable("TCPDIAG_DISSECT_PYTHON"),
        ProjectFolder.PathOf("artifacts", "peers", "bin", "python"),
    }.FirstOrDefault(File.Exists);
}
