using System;
using System.IO;

namespace TcpDiag.Traces.Tests.Input;

/// <summary>A file that goes with the test.</summary>
sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(byte[] content)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"tcpdiag-test-{Guid.NewGuid():N}");
        File.WriteAllBytes(Path, content);
    }

    public string Path { get; }

    public void Dispose() => File.Delete(Path);
}
