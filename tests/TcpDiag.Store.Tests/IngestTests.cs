using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Sqlite;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Recordings taken in from drop folders, by real processes on real files.</summary>
[Trait("Needs", "time")]
public sealed class IngestTests : IDisposable
{
    readonly StoreFolder _folder = new();
    int _filled;

    public IngestTests() => Directory.CreateDirectory(Drop);

    public void Dispose() => _folder.Dispose();

    string Drop => _folder.FileOf("drop");

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Once_TakesInAll_SetsPoisonAside_AndIsIdempotent(StoreEngine engine)
    {
        Fill(6);
        File.WriteAllText(Path.Combine(Drop, "notes\u001b[31m.pcap"), "no trace");
        File.WriteAllText(Path.Combine(Drop, "still.part"), "being copied");
        File.WriteAllText(Path.Combine(Drop, "README.md"), "where these are from");
        File.WriteAllText(Path.Combine(Drop, "ipv6.json"), "{}");
        File.WriteAllBytes(Path.Combine(Drop, "empty.pcapng"), []);
        Directory.CreateDirectory(Path.Combine(Drop, "machine-7"));
        File.Copy(ProjectFolder.Fixture("ipv6.pcapng"), Path.Combine(Drop, "machine-7", "a b.pcapng"));
        ProgramResult first = Ingest(engine, "--settle", "100ms");
        Assert.Equal(4, first.ExitCode); // something was rejected
        Assert.EndsWith("7 recordings added, 0 there already, 1 rejected\n", first.Output, StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', first.Output);
        AssertConsistent(engine, 7);
        Assert.Equal(["notes\u001b[31m.pcap", "notes\u001b[31m.pcap.reason.txt"],
            Directory.GetFiles(Path.Combine(Drop, "rejected")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Contains("expected an .etl, .pcapng or .pcap trace", File.ReadAllText(Path.Combine(Drop, "rejected", "notes\u001b[31m.pcap.reason.txt")),
            StringComparison.Ordinal);
        Assert.All((string[])["still.part", "README.md", "ipv6.json", "empty.pcapng"], name => Assert.True(File.Exists(Path.Combine(Drop, name)), name));
        ProgramResult second = Ingest(engine, "--settle", "100ms");
        Assert.Equal((0, "0 recordings added, 0 there already, 0 rejected\n"), (second.ExitCode, second.Output));
    }

    /// <summary>A name that is no UTF-8, and a pipe that nobody writes to.</summary>
    [ToolFact("bash", "mkfifo")]
    public void Names_ThatAreNoText_AreTold_AndPipesAreNotOpened()
    {
        Fill(1);
        Assert.Equal(0, ExternalProgram.TryRun("bash", ["-c", $"cd '{Drop}' && cp *.pcapng $'b\\xff\\xfe.pcapng' && mkfifo pipe.pcapng"]).ExitCode);
        ProgramResult result = Ingest(StoreEngine.Sqlite, "--settle", "100ms");
        ExternalProgram.TryRun("rm", ["-r", Drop]); // .NET cannot
        Directory.CreateDirectory(Drop);
        Assert.Equal(4, result.ExitCode);
        Assert.Contains("passed over: its name is no UTF-8. Rename it.\n", result.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 recording added, 0 there already, 0 rejected, 1 passed over\n", result.Output, StringComparison.Ordinal);
    }

    // A user in the folder of the bundles names the store without a path.
    [Fact]
    public void Store_InTheDropFolder_StaysWhereItIs()
    {
        Fill(2);
        string store = Path.Combine(Drop, "fleet.db");
        for (int run = 0; run < 2; run++)
        {
            ProgramResult result = OwnProcess.Run(["ingest", Drop, "--store", store, "--once", "--settle", "100ms"]);
            Assert.Equal((0, run == 0 ? 2 : 0), (result.ExitCode, result.Output.Split('\n').Count(line => line.EndsWith(": added", StringComparison.Ordinal))));
        }

        Assert.False(Directory.Exists(Path.Combine(Drop, "rejected")));
        using SqliteStore kept = SqliteStore.Open(store, isCreated: false);
        Assert.Equal(2, kept.CountOf("recording"));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Rewritten_ReplacesWhatItWas(StoreEngine engine)
    {
        string path = Path.Combine(Drop, "same-name.pcapng");
        File.Copy(ProjectFolder.Fixture("reset.pcapng"), path);
        Assert.Equal(0, Ingest(engine, "--settle", "100ms").ExitCode);
        File.Copy(ProjectFolder.Fixture("bulk-loss.pcapng"), path, overwrite: true);
        Assert.Equal(0, Ingest(engine, "--settle", "100ms").ExitCode);
        using IIngestStore store = _folder.Open(engine);
        Assert.Equal(RecordingFile.Of(ProjectFolder.Fixture("bulk-loss.pcapng")).Sha256, Assert.Single(store.Column("recording", "source")).Text);
        Assert.Equal(1, store.CountOf("result"));
    }

    [Theory]
    [OnSqlite(120, 30)]
    [OnClickHouse(60, 30)]
    public void ProcessesKilledAtRandom_CountEachRecordingOnce(StoreEngine engine, int files, int kills) => KillAtRandom(engine, files, kills);

    /// <summary>The same for long.</summary>
    [LongTheory]
    [InlineData(StoreEngine.Sqlite, 900, 200)]
    [InlineData(StoreEngine.ClickHouse, 600, 200)]
    public void ProcessesKilled200Times_CountEachRecordingOnce(StoreEngine engine, int files, int kills) => KillAtRandom(engine, files, kills);

    // The files come as the processes are killed, so that there is work until the last.
    void KillAtRandom(StoreEngine engine, int files, int kills)
    {
        var random = new Random(4);
        Fill(files / 2);
        List<Process> workers = [.. Enumerable.Range(0, 4).Select(_ => StartIngest(engine))];
        for (int kill = 0; kill < kills; kill++)
        {
            int one = random.Next(workers.Count);
            workers[one].WaitForExit(random.Next(20, 500));
            OwnProcess.Kill(workers[one]);
            workers[one] = StartIngest(engine);
            Fill(((files / 2) + (files / 2 * (kill + 1) / kills)) - _filled);
        }

        foreach (Process worker in workers)
        {
            Assert.True(worker.WaitForExit(600_000));
            Assert.Equal(0, worker.ExitCode);
            worker.Dispose();
        }

        Assert.Equal(0, Ingest(engine, "--settle", "50ms").ExitCode); // what came when the last of them had looked
        AssertConsistent(engine, files);
        Assert.False(Directory.Exists(Path.Combine(Drop, "rejected")));
    }

    [Fact]
    public void StillBeingWritten_IsTakenInWhenComplete()
    {
        byte[] bytes = File.ReadAllBytes(ProjectFolder.Fixture("bulk-loss.pcapng"));
        string path = Path.Combine(Drop, "slow.pcapng");
        using Process ingest = StartIngest(StoreEngine.Sqlite, "800ms");
        using (FileStream file = new(path, FileMode.Create, FileAccess.Write, FileShare.ReadWrite))
        {
            foreach (byte[] part in bytes.Chunk((bytes.Length / 8) + 1))
            {
                file.Write(part);
                file.Flush();
                ingest.WaitForExit(250);
            }
        }

        Assert.True(ingest.WaitForExit(30_000));
        using SqliteStore store = _folder.Open();
        Assert.Equal(RecordingFile.Of(path).Sha256, Assert.Single(store.Column("recording", "source")).Text);
        Assert.Equal(1, store.Column("recording", "is_complete").Single().Number);
    }

    [Fact]
    public async Task Metrics_CountWhatWasDone_AndNothingElseIsServed()
    {
        Fill(3);
        using Process ingest = OwnProcess.Start(["ingest", Drop, "--store", _folder.Store, "--settle", "100ms", "--metrics", "127.0.0.1:19464"]);
        try
        {
            using var client = new HttpClient { BaseAddress = new("http://127.0.0.1:19464") };
            string text = string.Empty;
            for (int i = 0; i < 100 && !Regex.IsMatch(text, "outcome=\"added\"} 3$", RegexOptions.Multiline, TimeSpan.FromSeconds(1)); i++)
            {
                ingest.WaitForExit(100);
                text = await TryGet(client, "/metrics");
            }

            Assert.Matches("# TYPE tcpdiag_ingest_recordings_total counter\ntcpdiag_ingest_recordings_total{outcome=\"added\"} 3\n", text);
            Assert.Equal(404, (int)(await client.GetAsync(new Uri("/../etc/passwd", UriKind.Relative))).StatusCode);
        }
        finally
        {
            OwnProcess.Kill(ingest);
        }
    }

    [Fact]
    public void Paths_OfStandardInput_AreReadOnce()
    {
        string line = $"printf '%s\\n' {string.Join(' ', StoreFolder.Recordings)} /no/such/file | dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} ingest - --store {_folder.Store}";
        ProgramResult result = ExternalProgram.TryRun("bash", ["-c", line]);
        Assert.EndsWith("5 recordings added, 0 there already, 0 rejected\n", result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Lease_EndsInTime_AndWhereTheClockWasSetBack(StoreEngine engine)
    {
        var clock = new SetClock();
        using IIngestStore store = _folder.Open(engine, time: clock);
        IWorkLeases one = store.Leases("one", TimeSpan.FromMinutes(1));
        IWorkLeases other = store.Leases("other", TimeSpan.FromMinutes(1));
        DropFile file = DropFile.Of(string.Empty, ProjectFolder.Fixture("reset.pcapng"))!;
        Assert.Equal(Claim.Mine, one.Claim(file));
        Assert.Equal(Claim.Taken, other.Claim(file));
        clock.Now += TimeSpan.FromSeconds(50);
        one.Renew();
        clock.Now += TimeSpan.FromSeconds(50);
        Assert.Equal(Claim.Taken, other.Claim(file));
        clock.Now += TimeSpan.FromSeconds(11);
        Assert.Equal(Claim.Mine, other.Claim(file));
        Assert.Equal(Claim.Mine, other.Claim(file)); // it could not be read, and is tried again
        clock.Now -= TimeSpan.FromDays(30); // the lease would last for a month
        Assert.Equal(Claim.Mine, one.Claim(file));
        one.Finish([new(file, "abc")]);
        Assert.Equal(Claim.Settled, other.Claim(file));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Claim_AgainAndAgain_IsPoison(StoreEngine engine)
    {
        var clock = new SetClock();
        using IIngestStore store = _folder.Open(engine, time: clock);
        IWorkLeases leases = store.Leases("one", TimeSpan.FromMinutes(1));
        DropFile file = DropFile.Of(string.Empty, ProjectFolder.Fixture("reset.pcapng"))!;
        for (int i = 0; i < 8; i++)
        {
            Assert.Equal(Claim.Mine, leases.Claim(file));
            clock.Now += TimeSpan.FromMinutes(2);
        }

        Assert.Equal(Claim.Poison, leases.Claim(file));
        leases.Reject(file, "why");
        Assert.Equal(Claim.Settled, leases.Claim(file));
    }

    void Fill(int count)
    {
        for (int end = _filled + count; _filled < end; _filled++)
        {
            int i = _filled;
            string path = _folder.Copy(i % 2 == 0 ? "reset.pcapng" : "bulk-loss.pcapng", i);
            File.Move(path, Path.Combine(Drop, Path.GetFileName(path)));
        }
    }

    ProgramResult Ingest(StoreEngine engine, params string[] more) => OwnProcess.Run(["ingest", Drop, "--store", _folder.LocationOf(engine), "--once", .. more]);

    Process StartIngest(StoreEngine engine, string settle = "50ms") =>
        OwnProcess.Start(["ingest", Drop, "--store", _folder.LocationOf(engine), "--once", "--workers", "2", "--lease", "1s", "--settle", settle]);

    void AssertConsistent(StoreEngine engine, long recordings)
    {
        using IResultStore store = _folder.Open(engine);
        Assert.Equal((recordings, recordings, recordings, 2 * recordings, recordings),
            (store.CountOf("result"), store.CountOf("recording"), store.CountOf("connection"), store.CountOf("direction"), store.CountOf("finding")));
    }

    static async Task<string> TryGet(HttpClient client, string path)
    {
        try
        {
            return await client.GetStringAsync(new Uri(path, UriKind.Relative));
        }
        catch (HttpRequestException)
        {
            return string.Empty;
        }
    }

    /// <summary>A clock that stands where it was set.</summary>
    sealed class SetClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 11, 25, 0, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
