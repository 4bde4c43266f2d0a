using System;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class LabTextTests
{
    const string Late = "Half of the packets left 900 µs late and the profile allows 500 µs, so that what was measured is not what was asked for.";

    [Fact]
    public void Write_VoidRuns_AreGroupedByReason()
    {
        string[] lines = Lines(Result("001", 1), Result("001", 2, Late), Result("001", 3, "The emulated path was ended by signal 9."), Result("001", 4, Late));

        // 1000 bytes in 1 ms.
        Assert.Equal(
            [
                "001  a      8.00 Mbit/s mean of 1 (8.00 to 8.00)  10.00 % resent  3 void",
                "2 runs void (001/a/002, …): Half of the packets left 900 µs late and the profile",
                "  allows 500 µs, so that what was measured is not what was asked for.",
                "1 run void (001/a/003): The emulated path was ended by signal 9.",
            ],
            lines);
        Assert.All(lines, line => Assert.True(line.Length <= 80, line));
    }

    [Fact]
    public void Write_FlowsThatDidNotComplete_AreMarked() => Assert.Equal(
        "001  a      8.00 Mbit/s mean of 2 (8.00 to 8.00)  10.00 % resent  1 at the limit  1 reset",
        string.Join("  ", Lines(Result("001", 1, outcome: FlowOutcome.TimeLimit), Result("001", 2, outcome: FlowOutcome.Reset)).Select(line => line.Trim())));

    [Fact]
    public void Write_LongCells_HaveALineToThemselves()
    {
        const string Cell = "001-rate-10mbit-rtt-5ms-buffer-0.2bdp";
        Assert.Equal([Cell, "  a      8.00 Mbit/s mean of 1 (8.00 to 8.00)  10.00 % resent"], Lines(Result(Cell, 1)));
    }

    static string[] Lines(params IterationResult[] results)
    {
        LabMatrix matrix = new("m", "d", 4, [], [], new RecordingSettings(), [new LabSide("a", "adaptive", [], [])]);
        using StringWriter output = new();
        LabText.Write(output, new LabRunDocument(LabRunDocument.CurrentSchema, matrix, 1, 1, null, "6.18", true, results), "out");
        return [.. output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line.TrimEnd('\r')).Skip(1)];
    }

    static IterationResult Result(string cell, int iteration, string? fault = null, FlowOutcome outcome = FlowOutcome.Complete)
    {
        FlowReport flow = new(1, outcome, 1000, 1, 1, 0, 1_000_000, 1, 1, new KernelCounters { DataSegmentsOut = 10, Retransmissions = 1 });
        return new IterationResult
        {
            Cell = cell,
            Side = "a",
            Iteration = iteration,
            Seed = 1,
            Folder = FormattableString.Invariant($"{cell}/a/{iteration:D3}"),
            Fault = fault,
            Sender = flow,
            Receiver = flow with { Outcome = FlowOutcome.Complete },
            Analysis = null,
            SenderCapture = null,
            ReceiverCapture = null,
            Link = null,
        };
    }
}
