using System;
using System.IO;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Stores that older versions have written, one of each schema, are brought up to date when they are opened.</summary>
public sealed class OlderStoreTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Older_OpensWithAllItHad_AndTakesMore(int schema)
    {
        File.Copy(Older(schema), _folder.Store);
        using SqliteStore store = _folder.Open();
        Assert.Equal((3, 2, 2, 4, 2), (store.CountOf("result"), store.CountOf("recording"), store.CountOf("connection"), store.CountOf("direction"),
            store.CountOf("finding")));
        Assert.Equal(["/tmp/fx/reset.pcapng", "/tmp/fx/bulk-loss.pcapng"], store.Column("recording", "path").Select(path => path.Text));
        Assert.Equal(AddOutcome.Kept, RecordingIntake.Add(store, ProjectFolder.Fixture("reset.pcapng"), new()).Outcome);
        Assert.Equal(AddOutcome.Added, RecordingIntake.Add(store, ProjectFolder.Fixture("ipv6.pcapng"), new()).Outcome);
        Assert.Equal(Claim.Mine, store.Leases("one", TimeSpan.FromMinutes(1)).Claim(DropFile.Of(string.Empty,
            ProjectFolder.Fixture("ipv6.pcapng"))!));
    }

    /// <summary>A new store and one that grew have the same tables.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Older_Grown_IsWhatANewOneIs(int schema)
    {
        File.Copy(Older(schema), _folder.Store);
        _folder.Open().Dispose();
        SqliteStore.Open(_folder.FileOf("new.db"), isCreated: true).Dispose();
        Assert.Equal(Tables(_folder.FileOf("new.db")), Tables(_folder.Store));
    }

    /// <summary>A store in ClickHouse of schema 2 has no sums: they are made of what is there, and reports are what they were.</summary>
    [ToolFact("clickhouse-server", "setpriv")]
    public void ClickHouse2_Grown_ReportsTheSame()
    {
        string location = _folder.LocationOf(StoreEngine.ClickHouse);
        string database = location[(location.LastIndexOf('/') + 1)..];
        SharedServer.Server.Ask($"CREATE DATABASE {database}");
        foreach (string statement in File.ReadAllText(ProjectFolder.PathOf("tests", "fixtures", "stores", "clickhouse-schema-2.sql")).Split(";\n"))
        {
            SharedServer.Server.Ask(statement.Replace("EXISTS \"", $"EXISTS {database}.\"", StringComparison.Ordinal), "allow_experimental_low_cardinality_type=1");
        }

        ResultRows[] results = [.. MadeFleet.Results(new FleetPlan(31, 30, 3, 6) { Regression = 0.6 })];
        using IIngestStore made = _folder.Open(StoreEngine.ClickHouse, "made");
        ((ClickHouseStore)made).AddAll(results);
        Copy(made.Location[(made.Location.LastIndexOf('/') + 1)..], database);
        using IIngestStore grown = _folder.Open(StoreEngine.ClickHouse);
        Assert.Equal(made.Dump(), grown.Dump());
        Assert.Equal(Report(made), Report(grown));
        Assert.Equal("540", SharedServer.Server.Ask($"SELECT sum(rows) FROM {database}.direction_sum"));
        Assert.Equal(AddOutcome.Kept, grown.Add(results[0]));
        Assert.Equal(AddOutcome.Added, RecordingIntake.Add(grown, ProjectFolder.Fixture("reset.pcapng"), new()).Outcome);
        Assert.Equal("542", SharedServer.Server.Ask($"SELECT sum(rows) FROM {database}.direction_sum"));
    }

    // What a program of that schema would have added: all columns that it has.
    static void Copy(string from, string to)
    {
        foreach (string table in StoreSchema.Tables.Select(table => table.Name))
        {
            string columns = SharedServer.Server.Ask($"SELECT arrayStringConcat(groupArray(name), ', ') FROM system.columns WHERE database = '{to}' AND table = '{table}'");
            SharedServer.Server.Ask($"INSERT INTO {to}.{table} ({columns}) SELECT {columns} FROM {from}.{table}");
        }

        SharedServer.Server.Ask($"INSERT INTO {to}.schema_version VALUES (2, 0, '0.1.0')");
        SharedServer.Server.Ask($"CREATE VIEW {to}.redaction_key AS SELECT value FROM {from}.redaction_key");
    }

    static string Report(IResultStore store) => string.Join('\n', FleetBuilder.Build(store, "build", 4, StoreFilter.All).Changes
        .Select(change => $"{change}").Concat(new BuildMeasures(store, StoreFilter.All).All().SelectMany(build => build.Shares.Select(share => $"{share}"))));

    static string Older(int schema) => ProjectFolder.PathOf("tests", "fixtures", "stores", FormattableString.Invariant($"schema-{schema}.db"));

    static string Tables(string path)
    {
        using var database = SqliteDatabase.Open(path);
        return database.Ask("SELECT group_concat(\"sql\", char(10)) FROM (SELECT \"sql\" FROM sqlite_master ORDER BY \"name\")").Text!;
    }
}
