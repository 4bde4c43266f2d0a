using System.Globalization;
using System.Text.Json;

namespace TcpDiag.Lab.Results;

/// <summary>What a recorder says of its file (<c>tcpdiag/capture/1</c>).</summary>
/// <param name="Packets">Packets recorded.</param>
/// <param name="DroppedPackets">Packets lost between kernel and recorder.</param>
/// <param name="Events">Events of the stack; null when they were not recorded, as for the two below.</param>
/// <param name="Samples">Samples of connections.</param>
/// <param name="LostEvents">Events lost between kernel and recorder.</param>
/// <param name="LostBuffers">Buffers lost before they were written (Windows).</param>
public sealed record CaptureFigures(long Packets, long DroppedPackets, long? Events, long? Samples, long? LostEvents, long? LostBuffers = null)
{
    /// <summary>Why the capture does not tell the whole, as a sentence; null if it does.</summary>
    /// <param name="end">Whose capture it is.</param>
    /// <returns>The sentence.</returns>
    public string? FindFault(string end) => DroppedPackets + (LostEvents ?? 0) + (LostBuffers ?? 0) == 0
        ? null
        : string.Create(CultureInfo.InvariantCulture, $"The capture at the {end} lost {DroppedPackets} packets, {LostEvents ?? 0} events and {LostBuffers ?? 0} buffers of them.");

    /// <summary>Reads a recorder's report.</summary>
    /// <param name="json">The document.</param>
    /// <returns>The figures.</returns>
    /// <exception cref="JsonException">It is no such document.</exception>
    public static CaptureFigures Read(string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement root = document.RootElement;
        return new CaptureFigures(
            root.GetProperty("packets").GetInt64(),
            root.GetProperty("dropped").GetInt64(),
            ReadOptional(root, "stackEvents"),
            ReadOptional(root, "samples"),
            ReadOptional(root, "lostEvents"),
            ReadOptional(root, "lostBuffers"));
    }

    static long? ReadOptional(JsonElement root, string name) =>
        root.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetInt64() : null;
}
