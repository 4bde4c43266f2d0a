using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Redaction;
using TcpDiag.Testing;
using TcpDiag.Traces;

namespace TcpDiag.Fuzz.Tests;

/// <summary>Redacts damaged traces; what comes of them must be readable without damage.</summary>
static class RedactionTarget
{
    static readonly RedactionKey Key = RedactionKey.TryParse(new string('5', 64), out RedactionKey? key) ? key! : throw new InvalidOperationException("no key");

    /// <summary>Redacts an input.</summary>
    /// <param name="input">The bytes.</param>
    /// <returns>Bytes of the result.</returns>
    public static long Read(byte[] input)
    {
        TraceFormat format = FormatOf(input);
        (byte[] redacted, _) = Redact(input, format);
        (_, IReadOnlyList<TraceProblem> problems) = Redact(redacted, format);
        bool mustBeWhole = format != TraceFormat.Etl; // whose log may have been left open
        return mustBeWhole && problems.Count > 0
            ? throw new InvalidOperationException($"the result is damaged: {problems[0].Message}")
            : Math.Min(input.Length, redacted.Length);
    }

    static TraceFormat FormatOf(ReadOnlySpan<byte> input) => input switch
    {
        [0x0A, 0x0D, 0x0D, 0x0A, ..] => TraceFormat.Pcapng,
        [0xD4, 0xC3, 0xB2, 0xA1, ..] => TraceFormat.Pcap,
        _ => TraceFormat.Etl,
    };

    static (byte[] Redacted, IReadOnlyList<TraceProblem> Problems) Redact(byte[] input, TraceFormat format)
    {
        using var names = new Pseudonyms(Key);
        var output = new MemoryStream();
        IReadOnlyList<TraceProblem> problems = TraceRedactor.Redact(names, new MemoryTraceInput(input), format, output, CancellationToken.None);
        return (output.ToArray(), problems);
    }
}
