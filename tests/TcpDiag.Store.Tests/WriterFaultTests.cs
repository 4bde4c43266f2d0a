using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TcpDiag.Store.Sqlite;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Writers side by side, and writers that are killed: real processes on a real file.</summary>
[Trait("Needs", "time")]
public sealed class WriterFaultTests : IDisposable
{
    const int Recordings = 40;
    const int Kills = 15;

    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void TwoWriters_OfTheSameRecordings_CountEachOnce()
    {
        string[] files = Copies();
        using Process one = OwnProcess.Start(Add(files));
        using Process other = OwnProcess.Start(Add([.. files.Reverse()]));
        one.WaitForExit();
        other.WaitForExit();
        Assert.Equal((0, 0), (one.ExitCode, other.ExitCode));
        AssertWhole(files.Length);
    }

    /// <summary>All find no store: one makes it, and none takes what is half made for another program's.</summary>
    [Fact]
    public void FourWriters_OfANewStore_MakeOne()
    {
        string file = _folder.Copy("reset.pcapng", 1);
        for (int round = 0; round < 10; round++)
        {
            string store = _folder.FileOf(FormattableString.Invariant($"new-{round}.db"));
            Process[] writers = [.. Enumerable.Range(0, 4).Select(_ => OwnProcess.Start("store", "add", file, "--store", store))];
            Assert.All(writers, writer =>
            {
                writer.WaitForExit();
                Assert.Equal(0, writer.ExitCode);
                writer.Dispose();
            });
            using SqliteStore made = SqliteStore.Open(store);
            Assert.Equal(1, made.CountOf("recording"));
        }
    }

    [Fact]
    public void WritersKilledAtRandom_LeaveWholeResultsAlone()
    {
        string[] files = Copies();
        var random = new Random(21);
        for (int kill = 0; kill < Kills; kill++)
        {
            Process writer = OwnProcess.Start(Add([.. files.OrderBy(_ => random.Next())]));
            writer.WaitForExit(random.Next(50, 1200));
            OwnProcess.Kill(writer);
            AssertConsistent();
        }

        Assert.Equal(0, OwnProcess.Run(Add(files)).ExitCode);
        AssertWhole(files.Length);
    }

    // A disk of its own, in a mount namespace of its own: nothing of it is left. The store is carried out where the disk was full, and where there was room
    // again.
    [RootFact("unshare", "mount")]
    public void FullDisk_IsToldInOneLine_AndLosesNothing()
    {
        string[] files = Copies();
        string disk = _folder.FileOf("disk");
        Directory.CreateDirectory(disk);
        string add = $"dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} store add --store {disk}/results.db";
        string line = $"""
            mount -t tmpfs -o size=2m none {disk} || exit 90
            {add} {string.Join(' ', files[..20])} >/dev/null || exit 91
            head -c 4m /dev/zero >{disk}/filler 2>/dev/null
            {add} {string.Join(' ', files)} >/dev/null
            [ $? = 1 ] || exit 92
            cp {disk}/results.db* {_folder.Path} && rm {disk}/filler || exit 93
            {add} {string.Join(' ', files)} >/dev/null || exit 94
            mkdir {_folder.Path}/after && cp {disk}/results.db* {_folder.Path}/after
            """;
        ProgramResult result = ExternalProgram.TryRun("unshare", ["-m", "bash", "-c", line]);
        Assert.True(result.ExitCode == 0, $"{result.ExitCode}: {result.Error}");
        Assert.Equal($"tcpdiag: {disk}/results.db: the store could not grow: the disk is full. What was there before is whole.\n", result.Error);
        AssertWhole(20);
        File.Delete(_folder.Store);
        Directory.GetFiles(_folder.FileOf("after")).ToList().ForEach(file => File.Copy(file, _folder.FileOf(Path.GetFileName(file)), overwrite: true));
        AssertWhole(files.Length);
    }

    [Fact]
    public void WithoutSqlite_OneLineSaysWhatToInstall()
    {
        ProgramResult result = ExternalProgram.TryRun("env",
            ["TCPDIAG_SQLITE=/no/such/library", "dotnet", Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "store", "list", "--store", _folder.Store]);
        Assert.Equal(1, result.ExitCode);
        Assert.Equal("tcpdiag: SQLite cannot be loaded from /no/such/library, which TCPDIAG_SQLITE names.\n", result.Error);
    }

    string[] Copies() => [.. Enumerable.Range(0, Recordings).Select(i => _folder.Copy(i % 2 == 0 ? "reset.pcapng" : "bulk-loss.pcapng", i))];

    IEnumerable<string> Add(string[] files) => ["store", "add", .. files, "--store", _folder.Store];

    // Each of these recordings has one connection, two directions and one finding.
    void AssertConsistent()
    {
        if (!File.Exists(_folder.Store))
        {
            return;
        }

        using SqliteStore store = _folder.Open();
        long results = store.CountOf("result");
        Assert.Equal((results, results, 2 * results, results),
            (store.CountOf("recording"), store.CountOf("connection"), store.CountOf("direction"), store.CountOf("finding")));
    }

    void AssertWhole(int recordings)
    {
        AssertConsistent();
        using SqliteStore store = _folder.Open();
        Assert.Equal(recordings, store.CountOf("recording"));
        Assert.Equal("ok", ExternalProgram.Find("sqlite3") is null ? "ok" : ExternalProgram.Run("sqlite3", _folder.Store, "PRAGMA integrity_check")
            .Output.Trim());
    }
}
