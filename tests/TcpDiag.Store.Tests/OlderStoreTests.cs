using System;
using System.IO;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Sqlite;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Stores that older versions have written, one of each schema, are brought up to date when they are opened.</summary>
public sealed class OlderStoreTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Schema1_OpensWithAllItHad_AndTakesMore()
    {
        File.Copy(ProjectFolder.PathOf("tests", "fixtures", "stores", "schema-1.db"), _folder.Store);
        using SqliteStore store = _folder.Open();
        Assert.Equal((3, 2, 2, 4, 2), (store.CountOf("result"), store.CountOf("recording"), store.CountOf("connection"), store.CountOf("direction"),
            store.CountOf("finding")));
        Assert.Equal(["/tmp/fx/reset.pcapng", "/tmp/fx/bulk-loss.pcapng"], store.Column("recording", "path").Select(path => path.Text));
        Assert.Equal(AddOutcome.Kept, RecordingIntake.Add(store, ProjectFolder.Fixture("reset.pcapng"), new()).Outcome);
        Assert.Equal(AddOutcome.Added, RecordingIntake.Add(store, ProjectFolder.Fixture("ipv6.pcapng"), new()).Outcome);
        Assert.Equal(Ingest.Claim.Mine, store.Ledger("one", TimeSpan.FromMinutes(1)).Claim(Ingest.DropFile.Of(string.Empty,
            ProjectFolder.Fixture("ipv6.pcapng"))!));
    }

    /// <summary>A new store and one that grew have the same tables.</summary>
    [Fact]
    public void Schema1_Grown_IsWhatANewOneIs()
    {
        File.Copy(ProjectFolder.PathOf("tests", "fixtures", "stores", "schema-1.db"), _folder.Store);
        _folder.Open().Dispose();
        SqliteStore.Open(_folder.FileOf("new.db"), isCreated: true).Dispose();
        Assert.Equal(Tables(_folder.FileOf("new.db")), Tables(_folder.Store));
    }

    static string Tables(string path)
    {
        using var database = SqliteDatabase.Open(path);
        return database.Ask("SELECT group_concat(\"sql\", char(10)) FROM (SELECT \"sql\" FROM sqlite_master ORDER BY \"name\")").Text!;
    }
}
