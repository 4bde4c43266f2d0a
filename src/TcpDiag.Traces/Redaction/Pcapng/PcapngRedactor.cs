using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Traces.Redaction.Pcapng;

/// <summary>Redacts a pcapng file block by block: the same blocks in little-endian order, packets cut behind their headers; blocks that nobody understands, and secrets, are left out.</summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class PcapngRedactor(Pseudonyms names)
{
    /// <summary>Redacts a file.</summary>
    /// <param name="input">The file; closed.</param>
    /// <param name="output">Receives the redacted file.</param>
    /// <param name="cancellation">Ends the work.</param>
    /// <returns>What could not be read.</returns>
    /// <exception cref="TraceInputException">No block of it is whole.</exception>
    /// <exception cref="TraceFormatException">The input does not begin with a Section Header Block.</exception>
    public IReadOnlyList<TraceProblem> Run(TraceInput input, Stream output, CancellationToken cancellation)
    {
        using var window = new InputWindow(input);
        if (!PcapngBlockScanner.IsSectionHeader(window.Available))
        {
            throw new TraceFormatException(input.Path, 0, 0, "a pcapng Section Header Block (0a 0d 0d 0a …)", FoundBytes.Describe(window.Available));
        }

        var problems = new ProblemLog();
        var scanner = new PcapngBlockScanner(window, problems);
        var blocks = new BlockRedactor(names, output);
        bool isEmpty = true;
        while (scanner.TryFind(out Span<byte> block))
        {
            isEmpty = false;
            cancellation.ThrowIfCancellationRequested();
            blocks.Redact(block);
            window.Advance(block.Length);
        }

        return isEmpty ? throw new TraceInputException(input.Path, $"nothing of its trace can be read: {problems.Problems[^1].Message}") : problems.Problems;
    }
}
