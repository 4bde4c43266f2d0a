using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using TcpDiag.Redaction;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store.ClickHouse;

/// <summary>Opens stores in ClickHouse, makes new ones, and brings older ones to this program's schema.</summary>
static class ClickHouseServer
{
    const string OldDictionaries = "allow_experimental_low_cardinality_type=1"; // before version 19
    const int DuplicateColumn = 15;
    const int ColumnExists = 44;

    /// <summary>Sees that the store is there and of this program's schema, or makes it so.</summary>
    /// <returns>How its tables lie.</returns>
    /// <exception cref="StoreException">There is none, it is another program's, or it is of a newer program.</exception>
    public static ClickHouseLayout Open(ClickHouseClient client, bool isCreated, TimeProvider time)
    {
        ClickHouseLocation location = client.Location;
        client.Settings = IsOld(client) ? OldDictionaries : string.Empty;
        ClickHouseLayout layout = LayoutOf(client);
        int found = VersionOf(client, out bool isNew);
        if (isNew && !isCreated)
        {
            throw new StoreException($"{location.Text}: there is no such store. tcpdiag store add makes it.");
        }

        if (found < StoreSchema.Version)
        {
            Upgrade(client, layout, isNew, time);
        }

        return layout;
    }

    /// <summary>The secret behind the store's pseudonyms, as it is written.</summary>
    /// <exception cref="StoreException">It is missing.</exception>
    public static string ReadKey(ClickHouseClient client)
    {
        string? text = client.Read(KeyQuestion).FirstOrDefault()?[0].Text;
        _ = SqliteFile.KeyOf(client.Location.Text, text);
        return text!;
    }

    /// <summary>The servers on which a statement has to run that concerns all.</summary>
    public static IEnumerable<Uri?> ServersOf(ClickHouseClient client, ClickHouseLayout layout) =>
        layout is { Cluster: not null, IsReplicated: false } ? client.Location.Servers : (IEnumerable<Uri?>)[null];

    static ClickHouseQuestion KeyQuestion => new($"SELECT \"value\" FROM \"{ClickHouseSchema.KeyView}\"", [BinaryKind.Text]);

    static bool IsOld(ClickHouseClient client)
    {
        string? version = client.Read(new ClickHouseQuestion("SELECT version()", [BinaryKind.Text]), isInDatabase: false).First()[0].Text;
        return Version.TryParse(version, out Version? number) && number.Major < 19;
    }

    static ClickHouseLayout LayoutOf(ClickHouseClient client)
    {
        ClickHouseLocation location = client.Location;
        if (location.Cluster is not { } cluster)
        {
            return new(TtlDays: location.TtlDays, Database: location.Database);
        }

        var given = new GivenRows([GivenColumn.Text("name")], [[StoreValue.Of(cluster)]]);
        var question = new ClickHouseQuestion(
            "SELECT toInt64(max(\"replica_num\")) FROM system.clusters WHERE \"cluster\" = (SELECT \"name\" FROM \"given\")", [BinaryKind.Number])
        {
            Given = given,
        };
        long copies = client.Read(question, isInDatabase: false).First()[0].Number ?? 0;
        return copies > 0
            ? new(cluster, copies > 1, location.TtlDays, location.Database)
            : throw new StoreException($"{location.Text}: the server knows no cluster '{cluster}' (system.clusters lists those it knows).");
    }

    static int VersionOf(ClickHouseClient client, out bool isNew)
    {
        HashSet<string> tables = [.. TablesOf(client)];
        isNew = !tables.Contains(ClickHouseSchema.KeyView);
        if (isNew)
        {
            return tables.Count == 0 || tables.Contains(ClickHouseSchema.VersionTable)
                || tables.Contains(ClickHouseSchema.VersionTable + ClickHouseLayout.LocalSuffix)
                || tables.Contains(StoreSchema.Results.Name) || tables.Contains(StoreSchema.Results.Name + ClickHouseLayout.LocalSuffix)
                ? 0
                : throw new StoreException($"{client.Location.Text}: is no store of tcpdiag, but a database of another program.");
        }

        long version = client.Read(new ClickHouseQuestion($"SELECT max(\"version\") FROM \"{ClickHouseSchema.VersionTable}\"", [BinaryKind.Number]))
            .First()[0].Number ?? 0;
        return version <= StoreSchema.Version
            ? (int)version
            : throw new StoreException(FormattableString.Invariant(
                $"{client.Location.Text}: is of schema {version}, expected at most {StoreSchema.Version}. A newer tcpdiag has written it: use that."));
    }

    static IEnumerable<string> TablesOf(ClickHouseClient client)
    {
        var given = new GivenRows([GivenColumn.Text("name")], [[StoreValue.Of(client.Location.Database)]]);
        var question = new ClickHouseQuestion(
            "SELECT \"name\" FROM system.tables WHERE \"database\" = (SELECT \"given\".\"name\" FROM \"given\")", [BinaryKind.Text])
        {
            Given = given,
        };
        return client.Read(question, isInDatabase: false).Select(row => row[0].Text!);
    }

    // Every step may be run again, and by several at once: the key comes last, and by it a store is known.
    static void Upgrade(ClickHouseClient client, ClickHouseLayout layout, bool isNew, TimeProvider time)
    {
        foreach (Uri? server in ServersOf(client, layout))
        {
            if (isNew)
            {
                client.Execute($"CREATE DATABASE IF NOT EXISTS \"{layout.Database}\"{ClickHouseSchema.OnCluster(layout)}", server, isInDatabase: false);
            }

            foreach (string statement in isNew ? ClickHouseSchema.Statements(layout) : ClickHouseSchema.Tables(layout))
            {
                client.Execute(statement, server);
            }

            AddColumns(client, layout, server);
        }

        if (!isNew)
        {
            ClickHouseFilling.Run(client, layout);
        }

        WriteVersion(client, time);
        MakeKey(client, layout);
    }

    static void AddColumns(ClickHouseClient client, ClickHouseLayout layout, Uri? server)
    {
        var given = new GivenRows([GivenColumn.Text("name")], [[StoreValue.Of(client.Location.Database)]]);
        var question = new ClickHouseQuestion(
            "SELECT \"table\", \"name\" FROM system.columns WHERE \"database\" = (SELECT \"given\".\"name\" FROM \"given\")",
            [BinaryKind.Text, BinaryKind.Text])
        {
            Given = given,
        };
        HashSet<(string, string)> known = [.. client.Read(question, isInDatabase: false, server).Select(row => (row[0].Text!, row[1].Text!))];
        foreach (StoreTable table in StoreSchema.Tables)
        {
            foreach (StoreColumn column in table.Columns.Where(column => !known.Contains((table.Name, column.Name))))
            {
                ClickHouseSchema.Add(table, column, layout).ToList().ForEach(statement => AddColumn(client, statement, server));
            }
        }
    }

    // Of several that open an older store at once one is the first.
    static void AddColumn(ClickHouseClient client, string statement, Uri? server)
    {
        try
        {
            client.Execute(statement, server);
        }
        catch (StoreException exception) when (exception.Code is DuplicateColumn or ColumnExists)
        {
            // It is there.
        }
    }

    static void WriteVersion(ClickHouseClient client, TimeProvider time)
    {
        var block = new RowBlock([BinaryKind.Number, BinaryKind.Number, BinaryKind.Text]);
        block.Add([StoreValue.Of(StoreSchema.Version), StoreValue.Of(time.NowNanos()), StoreValue.Of(RecordingRows.ProgramVersion.ToString())]);
        client.Insert(ClickHouseSchema.VersionTable, ["version", "applied_ns", "program"], block);
    }

    // The first server decides for all; the statement is written into no log of queries.
    static void MakeKey(ClickHouseClient client, ClickHouseLayout layout)
    {
        string key = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(RedactionKey.Bytes));
        foreach (Uri? server in ServersOf(client, layout))
        {
            client.Execute($"CREATE VIEW IF NOT EXISTS \"{ClickHouseSchema.KeyView}\"{ClickHouseSchema.OnCluster(layout)} AS SELECT '{key}' AS \"value\"",
                server, more: "log_queries=0");
            key = client.Read(KeyQuestion, server: server).First()[0].Text!;
        }
    }
}
