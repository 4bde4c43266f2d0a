using System;
using System.Globalization;
using System.IO;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Tests.Servers;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Recordings of a store set side by side: a machine is one run in each class of conditions.</summary>
public sealed class StoredRunsTests : IDisposable
{
    const int MachinesOfABuild = 6;

    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void TwoBuilds_OneSlower_AreCompared(StoreEngine engine)
    {
        string store = _folder.LocationOf(engine);
        Fill(engine);
        RunSet before = StoredRuns.TryRead($"{store}@22621")!;
        RunSet after = StoredRuns.TryRead($"{store}@build=26200")!;

        Assert.Equal($"22621, {MachinesOfABuild} recordings of {MachinesOfABuild} machines", before.Kernel);
        Assert.Equal(MachinesOfABuild, Assert.Single(before.Cells).Runs.Count);
        Assert.True(before is { IsByMachine: true, IsRecorded: true, IsComplete: true });
        Judgement judgement = RunSetComparer.Compare(new(before, after), new ComparisonSettings()).Primary.Overall!;
        Assert.Equal(Verdict.Regressed, judgement.Verdict);
        Assert.Equal("0.511", judgement.Ratio.ToString("0.000", CultureInfo.InvariantCulture)); // the same of both engines
    }

    [Fact]
    public void WhatIsNoStore_IsLeftToOthers()
    {
        Assert.Null(StoredRuns.TryRead(_folder.Path));
        Assert.Null(StoredRuns.TryRead(_folder.FileOf("none.db@26100")));
        string folder = Directory.CreateDirectory(_folder.FileOf("runs@home")).FullName;
        Assert.Null(StoredRuns.TryRead(folder));
    }

    [Theory]
    [InlineData("", "@: expected a build, or one of source,")]
    [InlineData("color=blue", "@color=blue: expected a build, or one of source,")]
    [InlineData("26100,site=", "@26100,site=: expected a build")]
    [InlineData("started_ns=monday", "started_ns: expected a number, found 'monday'.")]
    public void WrongCondition_IsOneLine(string condition, string message)
    {
        Fill(machines: 6);
        Assert.StartsWith(message, Assert.Throws<StoreException>(() => StoredRuns.TryRead($"{_folder.LocationOf(StoreEngine.Sqlite)}@{condition}")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void NoRecording_IsToldSo()
    {
        Fill(machines: 6);
        string message = Assert.Throws<RunSetException>(() => StoredRuns.TryRead($"{_folder.LocationOf(StoreEngine.Sqlite)}@14393")).Message;
        Assert.Contains("@14393: expected recordings with a transfer of 100 kB or more, found none.", message, StringComparison.Ordinal);
    }

    void Fill(StoreEngine engine = StoreEngine.Sqlite, int machines = 6 * MachinesOfABuild)
    {
        using IIngestStore store = _folder.Open(engine);
        foreach (ResultRows result in MadeFleet.Results(new FleetPlan(5, machines, 1, 3) { AllPaths = 0.5 }))
        {
            store.Add(result);
        }
    }
}
