using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Redaction;
using TcpDiag.Store.Rows;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>A recording of more connections than are analysed at once has the rows of one that is.</summary>
public sealed class PartedRowsTests
{
    static readonly RedactionKey Key = RedactionKey.Random();

    public static TheoryData<string> Fixtures { get; } = [.. Recordings()];

    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Fixture_InParts_HasTheSameRows(string name) => Check(ProjectFolder.Fixture(name), 1);

    [Fact]
    public void Demo_InParts_HasTheSameRows() => Check(ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng"), 2);

    [SharedTheory]
    [InlineData(20, "pcap", "http_espn.pcapng")] // names, and who waited for them
    [InlineData(1, "pcap", "http_ip4and6.pcapng")]
    [InlineData(3, "windows", "sample-26100-pktmon", "sample-26100-pktmon.etl")] // packets and events
    public void Recording_InParts_HasTheSameRows(int most, params string[] path) => Check(SharedFolder.PathOf(["traces", .. path]), most);

    [Fact]
    public void MadeUp_ConnectionsOfEveryKind_HaveTheSameRows()
    {
        using var folder = new StoreFolder();
        File.WriteAllBytes(folder.FileOf("made.pcap"), MadeCrowd.Pcap(2_000));
        string[] rows = Check(folder.FileOf("made.pcap"), 150);
        Assert.All(
            (string[])["finding=port-reuse", "finding=syn-retransmitted", "finding=one-sided-capture", "finding=reset-by-peer"],
            finding => Assert.Contains(rows, row => row.Contains(finding, StringComparison.Ordinal)));
    }

    // Events name ends now and then, and TCBs always: which connection one is of is known by those before it.
    [Fact]
    public void MadeUp_EventsOfEveryKind_HaveTheSameRows()
    {
        using var folder = new StoreFolder();
        using (FileStream file = File.Create(folder.FileOf("made.etl")))
        {
            new MadeEvents(file).Write(3_000);
        }

        string[] rows = Check(folder.FileOf("made.etl"), 200);
        Assert.All(
            (string[])["finding=window-scaling-off", "finding=app-limited", "finding=name-lookup-delay"],
            finding => Assert.Contains(rows, row => row.Contains(finding, StringComparison.Ordinal)));
    }

    // What can be read is the same as well; what cannot at all is one error.
    [Fact]
    public void Damaged_InParts_HasTheSameRows()
    {
        using var folder = new StoreFolder();
        byte[] pcap = MadeCrowd.Pcap(40);
        byte[] pcapng = File.ReadAllBytes(ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng"));
        string path = folder.FileOf("damaged");
        int readable = 0;
        for (int seed = 0; seed < 60; seed++)
        {
            File.WriteAllBytes(path, new Mutator(seed).Mutate(seed % 2 == 0 ? pcap : pcapng));
            string[]? whole = Tried(path, int.MaxValue);
            Assert.Equal(whole, Tried(path, 2));
            readable += whole is null ? 0 : 1;
        }

        Assert.InRange(readable, 30, 60);
    }

    [Fact]
    public void TemporaryFiles_AreGoneWithTheRecording()
    {
        string[] before = RowFiles();
        using (var room = new AnalysisRoom(2, 2))
        using (ReadRecording recording = Read(ProjectFolder.PathOf("src", "TcpDiag.Cli", "Demo", "demo.pcapng"), room))
        {
            Assert.True(recording.Connections > 2);
            Assert.Equal(OperatingSystem.IsWindows() ? before.Length + 5 : before.Length, RowFiles().Length);
        }

        Assert.Equal(before, RowFiles());

        static string[] RowFiles() => Directory.GetFiles(Path.GetTempPath(), "tcpdiag-*.tmp");
    }

    [Fact]
    public async Task Room_OfTwoLargeAnalyses_OneWaits()
    {
        using var first = new AnalysisRoom();
        using var second = new AnalysisRoom();
        first.Whole(CancellationToken.None).Told!(50_000);
        Assert.True(first.IsLarge);
        second.Whole(CancellationToken.None).Told!(1_000); // a small one goes on
        Assert.False(second.IsLarge);
        var waiting = Task.Run(() => second.Whole(CancellationToken.None).Told!(50_000));
        Assert.False(waiting.IsCompleted);
        Assert.Throws<OperationCanceledException>(() => new AnalysisRoom().Whole(new CancellationToken(canceled: true)).Told!(50_000));
        first.Empty();
        await waiting;
        Assert.True(second.IsLarge);
    }

    static IEnumerable<string> Recordings() => StoreFolder.Recordings.Select(path => Path.GetFileName(path)!);

    static string[] Check(string path, int most)
    {
        (string[] whole, int connections) = Rows(path, int.MaxValue);
        (string[] parted, int again) = Rows(path, most);
        Assert.True(connections >= most, FormattableString.Invariant($"{connections} connections"));
        Assert.Equal(connections, again);
        Assert.Equal(whole, parted);
        return whole;
    }

    static string[]? Tried(string path, int most)
    {
        try
        {
            return Rows(path, most).Rows;
        }
        catch (TraceFormatException)
        {
            return null;
        }
    }

    static (string[] Rows, int Connections) Rows(string path, int most)
    {
        using var room = new AnalysisRoom(most, most);
        using ReadRecording recording = Read(path, room);
        IEnumerable<string> lines = recording.Rows.Batches.SelectMany(batch => batch.Rows
            .Select(row => $"{batch.Table.Name} {string.Join('|', batch.Table.Columns.Zip(row, (column, value) => $"{column.Name}={value}"))}"));
        string[] once = [.. lines.Order(StringComparer.Ordinal)];
        Assert.Equal(once, lines.Order(StringComparer.Ordinal)); // as often as it is tried to add them
        return (once, recording.Connections);
    }

    static ReadRecording Read(string path, AnalysisRoom room) =>
        RecordingIntake.Read(RecordingFile.Of(path), new RecordingLabels(), Key, room, CancellationToken.None);
}
