using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.RunSets;

public sealed class LabResultReaderTests
{
    [Fact]
    public void Read_TwoSides_GivesTheirRunsByConditions()
    {
        using LabResult result = new LabResult().Runs(2, "old", 1e6, 2e6).Runs(2, "new", 3e6).Save();
        IReadOnlyList<RunSet> sides = LabResultReader.Read(result.Folder);

        Assert.Equal(["old", "new"], sides.Select(side => side.Side));
        RunCell cell = Assert.Single(sides[0].Cells);
        Assert.Equal([1e6, 2e6], cell.Runs.Select(TestRuns.Goodput));

        // Cell 2 has the second round-trip time; the loss of none is left out.
        Assert.Equal(["rate 100mbit", "rtt 100ms", "bytes 3mb", "scale 1"], cell.Conditions.Select(setting => $"{setting.Name} {setting.Value}"));
        Assert.Equal([new Setting("stack", "adaptive"), new Setting("send-buffer", "64kib")], sides[0].Settings);
    }

    [Fact]
    public void Read_VoidRun_IsCountedAndLeftOut()
    {
        using LabResult result = new LabResult().Runs(1, "old", 1e6).Run(1, "old", 9e6, "The path was late.").Save();
        RunCell cell = Assert.Single(LabResultReader.Read(result.Folder)[0].Cells);

        Assert.Equal([1e6], cell.Runs.Select(TestRuns.Goodput));
        Assert.Equal(1, cell.VoidRuns);
    }

    [Fact]
    public void Read_NothingArrived_IsAGoodputOfZero()
    {
        using LabResult result = new LabResult().Run(1, "old", null).Save();
        Assert.Equal([0], Assert.Single(LabResultReader.Read(result.Folder)[0].Cells).Runs.Select(TestRuns.Goodput));
    }

    [Fact]
    public void Read_Figures_AreThoseOfTheResult()
    {
        const string run = """
            {"cell":"001-rtt","side":"old","iteration":3,"seed":18446744073709551615,"folder":"001-rtt/old/03","fault":null,"goodputBitsPerSecond":5e6,
             "durationNs":2500000000,"sender":{"outcome":"complete","bytes":2000000,"cpuNs":8000000,"kernel":{"dataSegmentsOut":9,"retransmissions":9,"dsacks":9,"timeouts":2} },
             "receiver":{"outcome":"complete"},
             "analysis":{"wireSegments":1000,"retransmissions":20,"dsacks":5,"medianRttNs":30000000,"timeToRateNs":250000000,"slowStartExitBytes":64000,
             "limitsNs":{"recovery":1000000000,"unheardOf":1} } }
            """;
        using LabResult result = new LabResult().Add(run).Save();
        Run read = Assert.Single(Assert.Single(LabResultReader.Read(result.Folder)[0].Cells).Runs);

        Assert.Equal((3, ulong.MaxValue, RunEnd.Complete), (read.Iteration!.Value, read.Seed!.Value, read.End));
        Assert.Equal(Path.Combine(result.Folder, "001-rtt/old/03"), read.Folder);
        Assert.Equal(
            [
                "completion-time 2.5", "goodput 5000000", "needless 0.005", "retransmissions 0.02", "rtt-under-load 0.03", "sender-cpu 4", "slow-start-exit 64000",
                "time-recovery 1", "time-to-rate 0.25", "timeouts 2",
            ],
            read.Figures.Select(figure => FormattableString.Invariant($"{figure.Key.Name} {figure.Value}")).Order(StringComparer.Ordinal));
    }

    // Without an analysis the kernel's counters serve; what a simulator knows goes before what the analysis judges.
    [Fact]
    public void Read_OtherSources_AreTaken()
    {
        const string run = """
            {"cell":"001-rtt","side":"old","fault":null,"goodputBitsPerSecond":5e6,
             "sender":{"kernel":{"dataSegmentsOut":200,"retransmissions":10,"dsacks":4} },
             "simulated":{"statesNs":{"timeout":3000000000} } }
            """;
        using LabResult result = new LabResult().Add(run).Save();
        Run read = Assert.Single(Assert.Single(LabResultReader.Read(result.Folder)[0].Cells).Runs);

        Assert.Equal((0.05, 0.02, 3.0), (read.Figures[Metric.Retransmissions], read.Figures[Metric.Needless], read.Figures[Metric.Find("time-timeout")!]));
        Assert.Equal((null, null, null), (read.Iteration, read.Seed, read.Folder));
    }

    [Theory]
    [InlineData("complete", "complete", RunEnd.Complete)]
    [InlineData("time-limit", "complete", RunEnd.CutShort)]
    [InlineData("complete", "time-limit", RunEnd.CutShort)]
    [InlineData("reset", "complete", RunEnd.Reset)]
    [InlineData("time-limit", "reset", RunEnd.Reset)]
    [InlineData("reset", "closed", RunEnd.CutShort)] // the receiver closed at its time, as it was told to
    public void Read_Outcomes_AreTheWorseOfBoth(string sender, string receiver, RunEnd end)
    {
        string run = $$"""
            {"cell":"001-rtt","side":"old","fault":null,"goodputBitsPerSecond":1,
             "sender":{"outcome":"{{sender}}"},"receiver":{"outcome":"{{receiver}}"} }
            """;
        using LabResult result = new LabResult().Add(run).Save();
        Assert.Equal(end, Assert.Single(Assert.Single(LabResultReader.Read(result.Folder)[0].Cells).Runs).End);
    }

    [Fact]
    public void Read_TooManyRuns_IsRefused()
    {
        using LabResult result = new LabResult().Runs(1, "old", new double[2001]).Save();
        Assert.Contains("expected at most 2000 runs of a side in a cell, found 2001", Message(result.Folder), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_NegativeFigure_IsRefused()
    {
        using LabResult result = new LabResult()
            .Add("""{"cell":"001-rtt","side":"old","fault":null,"goodputBitsPerSecond":1,"simulated":{"statesNs":{"recovery":-5} } }""").Save();
        Assert.Contains("expected figures of 0 and more, found time-recovery of -5E-09", Message(result.Folder), StringComparison.Ordinal);
    }

    [Fact]
    public void Read_FileItself_IsTheSame()
    {
        using LabResult result = new LabResult().Runs(1, "old", 1e6).Save();
        Assert.Equal(1, LabResultReader.Read(result.File)[0].Runs);
    }

    [Fact]
    public void Read_NoFolder_SaysSo() =>
        Assert.Equal("no-such-folder: expected the result directory of tcpdiag lab run, found nothing of that name.", Message("no-such-folder"));

    [Fact]
    public void Read_FolderWithoutResult_SaysSo()
    {
        using LabResult result = new();
        Assert.Equal($"{result.Folder}: expected run.json, found none. Name the result directory of tcpdiag lab run (--out).", Message(result.Folder));
    }

    [Theory]
    [InlineData("tcpdiag/lab/1", "tcpdiag/lab/2", "expected schema tcpdiag/lab/1, found 'tcpdiag/lab/2'")]
    [InlineData("\"schema\"", "\"scheme\"", "expected schema tcpdiag/lab/1, found none")]
    [InlineData("\"kernel\"", "\"colonel\"", "found damage: ")]
    [InlineData("\"goodputBitsPerSecond\":1000000", "\"goodputBitsPerSecond\":-1", "expected goodput of 0 and more, found -1")]
    [InlineData("\"goodputBitsPerSecond\":1000000", "\"goodputBitsPerSecond\":\"fast\"", "found damage: ")]
    [InlineData("\"goodputBitsPerSecond\":1000000", "\"goodputBitsPerSecond\":1e999", "expected goodput of 0 and more, found Infinity")]
    [InlineData("\"side\":\"old\"", "\"side\":\"odd\"", "expected runs of the experiment's sides, found one of 'odd'")]
    [InlineData("\"cell\":\"001-rtt\"", "\"cell\":\"rtt\"", "expected cells that begin with their number in the matrix, found 'rtt'")]
    [InlineData("\"cell\":\"001-rtt\"", "\"cell\":\"003-rtt\"", "expected cells that begin with their number in the matrix, found '003-rtt'")]
    [InlineData("\"cell\":\"001-rtt\"", "\"cell\":\"99999999999-rtt\"", "expected cells that begin with their number in the matrix, found '99999999999-rtt'")]
    [InlineData("\"25ms\",\"100ms\"", "", "expected entries and values everywhere")]
    [InlineData("\"25ms\",\"100ms\"", "null", "expected entries and values everywhere")]
    [InlineData("\"results\":[", "\"results\":[null,", "expected entries and values everywhere")]
    public void Read_Damaged_SaysWhatIsWrong(string text, string replacement, string expected)
    {
        using LabResult result = new LabResult().Runs(1, "old", 1e6).Save();
        File.WriteAllText(result.File, File.ReadAllText(result.File).Replace(text, replacement, StringComparison.Ordinal));

        string message = Message(result.Folder);
        Assert.StartsWith($"{result.File}: ", message, StringComparison.Ordinal);
        Assert.Contains(expected, message, StringComparison.Ordinal);
    }

    // Cut anywhere, or with any byte changed, a file is read or refused; nothing else escapes.
    [Fact]
    public void Read_CutAndMutated_IsReadOrRefused()
    {
        using LabResult result = new LabResult().Runs(1, "old", 1e6, 2e6).Runs(2, "new", 3e6).Save();
        byte[] whole = File.ReadAllBytes(result.File);
        var random = new Random(5);
        for (int i = 0; i < 2000; i++)
        {
            byte[] damaged = i % 2 == 0 ? whole[..random.Next(whole.Length)] : [.. whole];
            if (damaged.Length > 0)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(result.File, damaged);
            Exception? escaped = Record.Exception(() => LabResultReader.Read(result.Folder));
            Assert.True(escaped is null or RunSetException, $"{i}: {escaped}");
        }
    }

    static string Message(string path) => Assert.Throws<RunSetException>(() => LabResultReader.Read(path)).Message;
}
