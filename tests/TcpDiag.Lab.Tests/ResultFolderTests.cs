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
        using (ResultFolder folder = ResultFolder.Open(_root, Header))
        {
            folder.Prepare(Plan);
            Assert.Null(folder.TryRead(Plan));
            folder.Write(Plan, Result());
        }

        using ResultFolder again = ResultFolder.Open(_root, Header);
        Assert.Equivalent(Result(), again.TryRead(Plan), strict: true);
    }

    [Fact]
    public void Write_AFailedRun_HasNoAccounts()
    {
        IterationResult failed = Result() with
        {
            Fault = "The emulated path was ended by signal 9.",
            Sender = null,
            Receiver = null,
            SenderCapture = null,
            ReceiverCapture = null,
            Link = null,
        };
        using ResultFolder folder = ResultFolder.Open(_root, Header);
        folder.Prepare(Plan);
        folder.Write(Plan, failed);

        Assert.Equivalent(failed, folder.TryRead(Plan), strict: true);
        Assert.Equal((true, null, null, null), (failed.IsVoid, failed.Outcome, failed.DurationNs, failed.GoodputBitsPerSecond));
    }

    [Fact]
    public void Prepare_UnfinishedRun_RemovesWhatItLeft()
    {
        using ResultFolder folder = ResultFolder.Open(_root, Header);
        string left = Path.Combine(folder.Prepare(Plan), "sender.pcapng");
        File.WriteAllText(left, "half");
        folder.Prepare(Plan);

        Assert.False(File.Exists(left));
    }

    [Fact]
    public void Open_AtWork_IsRefused()
    {
        using (ResultFolder.Open(_root, Header))
        {
            LabException refused = Assert.Throws<LabException>(() => ResultFolder.Open(_root, Header));
            Assert.Equal($"{_root}: another tcpdiag lab run is at work in it. Wait for its end, or choose another --out.", refused.Message);
        }

        using ResultFolder free = ResultFolder.Open(_root, Header);
        Assert.Null(free.TryRead(Plan));
    }

    [Fact]
    public void Open_MoreIterations_ExtendsIt()
    {
        Write(Header);
        using ResultFolder folder = ResultFolder.Open(_root, Header with { Matrix = Matrix with { Iterations = 9 } });
        Assert.Null(folder.TryRead(Plan));
    }

    [Fact]
    public void Open_AnotherExperiment_SaysWhichDifferences()
    {
        Write(Header with { Results = [Result()], IsComplete = true });
        Assert.Equal("seed is 7 there, 8 here", Refusal(Header with { Seed = 8 }));
        Assert.Equal("scale is 0.5 there, 1 here; peer is not given there, 127.0.0.1:9 here", Refusal(Header with { Scale = 1, Peer = "127.0.0.1:9" }));
        Assert.Equal("path rtt is 5ms there, 5ms, 10ms here", Refusal(Header with { Matrix = Matrix with { Path = [new LabAxis("rtt", ["5ms", "10ms"])] } }));
        Assert.Equal("it has 2 iterations, and 1 would be fewer", Refusal(Header with { Matrix = Matrix with { Iterations = 1 } }));
        Assert.Equal(
            "side a stack is adaptive there, fixed here; side a rtt is not given there, 9ms here",
            Refusal(Header with { Matrix = Matrix with { Sides = [new LabSide("a", "fixed", [new LabOption("rtt", "9ms")], [])] } }));
        Assert.Equal(
            "name is m there, n here; description is d there, e here; kernel is 6.18 there, 7.0 here; 1 more",
            Refusal(Header with { Kernel = "7.0", Seed = 8, Matrix = Matrix with { Name = "n", Description = "e" } }));
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
        Write(Header with { Results = [Result()], IsComplete = true });
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
        IterationResult result = Result() with
        {
            Sender = Flow(FlowOutcome.Complete, 1_000_000, 2_000_000),
            Receiver = Flow(FlowOutcome.Complete, 3_000_000, 5_000_000),
        };

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
        FlowReport sum = FlowReport.Sum(
            [Flow(FlowOutcome.Complete, 10, 20), Flow(FlowOutcome.Reset, 5, 15) with { Kernel = new KernelCounters { DataSegmentsOut = 1, MinRttUs = 7 } }]);

        Assert.Equal((0, FlowOutcome.Reset, 2000, 4, 6), (sum.ClientPort, sum.Outcome, sum.Bytes, sum.Calls, sum.BlockedNs));
        Assert.Equal((5, 20), (sum.FirstNs, sum.LastNs));
        Assert.Equal((7, 7, null), (sum.Kernel.DataSegmentsOut, sum.Kernel.MinRttUs, sum.Kernel.Timeouts));
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    void Write(LabRunDocument run)
    {
        using ResultFolder folder = ResultFolder.Open(_root, Header);
        folder.WriteRun(run);
    }

    // The middle of the message, which begins with the file's name and ends with what helps.
    string Refusal(LabRunDocument here)
    {
        string message = Assert.Throws<LabException>(() => ResultFolder.Open(_root, here)).Message;
        string start = $"{Path.Combine(_root, "run.json")}: holds another experiment: ";
        const string End = ". Choose another --out, or remove it.";
        Assert.StartsWith(start, message, StringComparison.Ordinal);
        Assert.EndsWith(End, message, StringComparison.Ordinal);
        return message[start.Length..^End.Length];
    }

    static FlowReport Flow(FlowOutcome outcome, long first, long last) =>
        new(40_000, outcome, 1000, 2, 3, first, last, 4, 5, new KernelCounters { DataSegmentsOut = 6 });

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
