using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class ResultFolderTests : IDisposable
{
    static readonly LabMatrix Matrix = new("m", "d", 2, [new LabAxis("rtt", ["5ms"])], [], new RecordingSettings(), [new LabSide("a", "adaptive", [], [])]);

    readonly string _root = Directory.CreateTempSubdirectory("tcpdiag-lab").FullName;

    static LabRunDocument Header => new(LabRunDocument.CurrentSchema, Matrix, 7, 0.5, null, "6.18", false, []);

    static PlannedIteration Plan => PlannedIteration.Plan(Matrix, 7)[0];

    [Fact]
    public void Write_ThenTryRead_GivesTheSame()
    {
        ResultFolder folder = ResultFolder.Open(_root, Header);
        folder.Prepare(Plan);
        Assert.Null(folder.TryRead(Plan));
        folder.Write(Plan, Result());

        Assert.Equivalent(Result(), ResultFolder.Open(_root, Header).TryRead(Plan), strict: true);
    }

    [Fact]
    public void Prepare_UnfinishedRun_RemovesWhatItLeft()
    {
        ResultFolder folder = ResultFolder.Open(_root, Header);
        string left = Path.Combine(folder.Prepare(Plan), "sender.pcapng");
        File.WriteAllText(left, "half");
        folder.Prepare(Plan);

        Assert.False(File.Exists(left));
    }

    [Fact]
    public void Open_AnotherExperiment_IsRefused()
    {
        ResultFolder.Open(_root, Header).WriteRun(Header with { Results = [Result()], IsComplete = true });
        LabException refused = Assert.Throws<LabException>(() => ResultFolder.Open(_root, Header with { Seed = 8 }));
        Assert.Contains("holds another experiment", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_NoResultOfTheLab_SaysSo()
    {
        File.WriteAllText(Path.Combine(_root, "run.json"), "[]");
        LabException refused = Assert.Throws<LabException>(() => ResultFolder.Open(_root, Header));
        Assert.Contains("is no result of the lab", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void WriteRun_Names_AreThoseOfTheSchema()
    {
        ResultFolder.Open(_root, Header).WriteRun(Header with { Results = [Result()], IsComplete = true });
        using JsonDocument run = JsonDocument.Parse(File.ReadAllText(Path.Combine(_root, "run.json")));
        JsonElement result = run.RootElement.GetProperty("results").EnumerateArray().Single();

        Assert.Equal("tcpdiag/lab/1", run.RootElement.GetProperty("schema").GetString());
        Assert.Equal("001/a/001", result.GetProperty("folder").GetString());
        Assert.Equal("time-limit", result.GetProperty("sender").GetProperty("outcome").GetString());
        Assert.Equal(JsonValueKind.Null, result.GetProperty("analysis").ValueKind);
    }

    [Fact]
    public void Goodput_Flow_IsFromFirstWriteToLastRead()
    {
        IterationResult result = Result() with { Sender = Flow(FlowOutcome.Complete, 1_000_000, 2_000_000), Receiver = Flow(FlowOutcome.Complete, 3_000_000, 5_000_000) };

        // 1000 bytes in 4 ms: 8000 bit / 0.004 s.
        Assert.Equal(4_000_000, result.DurationNs);
        Assert.Equal(2_000_000, result.GoodputBitsPerSecond);
    }

    [Fact]
    public void Goodput_NothingArrived_IsUnknown() =>
        Assert.Null((Result() with { Receiver = new FlowReport(1, FlowOutcome.Reset, 0, 0, 0, null, null, 0, 0, new KernelCounters()) }).GoodputBitsPerSecond);

    [Fact]
    public void KernelCounters_ShortStructure_LeavesTheRestUnknown()
    {
        byte[] info = new byte[140];
        info[100] = 3;
        info[136] = 9;
        info[148 - 12] = 9;
        KernelCounters counters = KernelCounters.Read(info);

        Assert.Equal((3, 9), (counters.Retransmissions, counters.SegmentsOut));
        Assert.Null(counters.SegmentsIn);
        Assert.Null(counters.MinRttUs);
        Assert.Null(counters.Timeouts);
    }

    [Fact]
    public void Sum_TwoConnections_AddsUp()
    {
        FlowReport sum = FlowReport.Sum([Flow(FlowOutcome.Complete, 10, 20), Flow(FlowOutcome.Reset, 5, 15) with { Kernel = new KernelCounters { DataSegmentsOut = 1, MinRttUs = 7 } }]);

        Assert.Equal((0, FlowOutcome.Reset, 2000, 4, 6), (sum.ClientPort, sum.Outcome, sum.Bytes, sum.Calls, sum.BlockedNs));
        Assert.Equal((5, 20), (sum.FirstNs, sum.LastNs));
        Assert.Equal((7, 7, null), (sum.Kernel.DataSegmentsOut, sum.Kernel.MinRttUs, sum.Kernel.Timeouts));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    static FlowReport Flow(FlowOutcome outcome, long first, long last) => new(40_000, outcome, 1000, 2, 3, first, last, 4, 5, new KernelCounters { DataSegmentsOut = 6 });

    static IterationResult Result() => new()
    {
        Cell = "001",
        Side = "a",
        Iteration = 1,
        Seed = 7,
        Folder = "001/a/001",
        Fault = null,
        Sender = Flow(FlowOutcome.TimeLimit, 1, 2),
        Receiver = Flow(FlowOutcome.Closed, 3, 4),
        Analysis = null,
        SenderCapture = new CaptureFigures(1, 0, 2, 3, 0),
        ReceiverCapture = new CaptureFigures(1, 0, 2, 3, 0),
        Link = new ShimReport(new ShimFigures(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), true, null, []),
    };
}
