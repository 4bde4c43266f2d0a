using System.IO;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces.Redaction;

namespace TcpDiag.Traces.Tests.Redaction;

static class RedactedFiles
{
    public static byte[] Redact(Pseudonyms names, byte[] bytes, TraceFormat format)
    {
        var output = new MemoryStream();
        TraceRedactor.Redact(names, new MemoryTraceInput(bytes), format, output, CancellationToken.None);
        return output.ToArray();
    }
}
