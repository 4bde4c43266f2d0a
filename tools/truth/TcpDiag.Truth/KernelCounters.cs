using System.IO;
using System.Text.Json;

namespace TcpDiag.Truth;

/// <summary>What the sending kernel counted (docs/lab.md).</summary>
static class KernelCounters
{
    /// <summary>Segments sent again: tcpi_total_retrans.</summary>
    /// <param name="folder">The folder of the run.</param>
    /// <returns>The number.</returns>
    public static long Read(string folder)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "result.json")));
        return document.RootElement.GetProperty("sender").GetProperty("kernel").GetProperty("retransmissions").GetInt64();
    }
}
