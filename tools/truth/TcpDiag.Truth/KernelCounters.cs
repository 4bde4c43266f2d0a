using System.IO;
using System.Text.Json;

namespace TcpDiag.Truth;

/// <summary>What the sending kernel counted (docs/lab.md).</summary>
/// <param name="Retransmissions">Segments sent again: tcpi_total_retrans.</param>
/// <param name="Timeouts">Retransmission timeouts.</param>
/// <param name="ReceiveWindowSeconds">Time that the receive window held it back: tcpi_rwnd_limited.</param>
sealed record KernelCounters(long Retransmissions, long Timeouts, double ReceiveWindowSeconds)
{
    const double MicrosecondsPerSecond = 1e6;

    /// <summary>Reads them.</summary>
    /// <param name="folder">The folder of the run.</param>
    /// <returns>The counters.</returns>
    public static KernelCounters Read(string folder)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "result.json")));
        JsonElement kernel = document.RootElement.GetProperty("sender").GetProperty("kernel");
        return new(
            kernel.GetProperty("retransmissions").GetInt64(),
            Number(kernel, "timeouts"),
            Number(kernel, "rcvWndLimitedUs") / MicrosecondsPerSecond);
    }

    // Null where this kernel does not count it.
    static long Number(JsonElement kernel, string name) =>
        kernel.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Number ? value.GetInt64() : 0;
}
