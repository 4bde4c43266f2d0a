using System;
using System.IO;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces;

namespace TcpDiag.Redaction.Tests;

static class RedactedFiles
{
    public static byte[] Redact(Pseudonyms names, byte[] bytes, TraceFormat format)
    {
        var output = new MemoryStream();
        TraceRedactor.Redact(names, new MemoryTraceInput(bytes), format, output, CancellationToken.None);
        return output.ToArray();
    }
}

static class TestKeys
{
    public static RedactionKey First { get; } = Read(new string('1', 64));

    public static RedactionKey Second { get; } = Read(new string('2', 64));

    static RedactionKey Read(string text) => RedactionKey.TryParse(text, out RedactionKey? key) ? key! : throw new FormatException(text);
}
