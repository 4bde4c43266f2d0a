using System.IO;
using System.Text.Json;

namespace TcpDiag.Report.Json;

/// <summary>Writes the JSON document of a recording.</summary>
public static class CaptureJson
{
    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="document">What the recording holds.</param>
    public static void Write(TextWriter output, CaptureDocument document) =>
        output.WriteLine(JsonSerializer.Serialize(document, CaptureJsonContext.Default.CaptureDocument));
}
