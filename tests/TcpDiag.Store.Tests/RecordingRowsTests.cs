using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Cli;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Rows say what the analysis document says.</summary>
public sealed class RecordingRowsTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Add_Again_IsNotRead()
    {
        using SqliteStore store = _folder.Open();
        string path = StoreFolder.Recordings[0];
        IntakeResult first = RecordingIntake.Add(store, path, new());
        Assert.Equal((AddOutcome.Added, 1, 1), (first.Outcome, first.Connections, first.Findings));
        string copy = _folder.FileOf("other-name");
        File.Copy(path, copy);
        Assert.Equal(AddOutcome.Kept, RecordingIntake.Add(store, copy, new()).Outcome);
        Assert.Equal(path, Assert.Single(store.Column("recording", "path")).Text);
    }

    [Fact]
    public void Add_FileChangedMeanwhile_IsRefused()
    {
        string path = _folder.Copy("reset.pcapng", 1);
        RecordingFile file = RecordingFile.Of(path);
        file.RequireUnchanged(path);
        File.AppendAllText(path, "more");
        Assert.Equal($"{path}: was changed while it was read. Nothing of it is stored; add it again when it is complete.",
            Assert.Throws<RecordingChangedException>(() => file.RequireUnchanged(path)).Message);
    }

    [Fact]
    public void File_OfSeveral_IsKnownByAllOfThem()
    {
        (string a, string b) = (StoreFolder.Recordings[0], StoreFolder.Recordings[1]);
        Assert.NotEqual(RecordingFile.Of(a, b).Sha256, RecordingFile.Of(b, a).Sha256);
        Assert.Equal(RecordingFile.Of(a).Bytes + RecordingFile.Of(b).Bytes, RecordingFile.Of(a, b).Bytes);
        Assert.Equal(Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(File.ReadAllBytes(a))), RecordingFile.Of(a).Sha256);
    }

    [Fact]
    public void Rows_WithoutAddresses_NameNobody()
    {
        using SqliteStore store = _folder.Open();
        using var otherFolder = new StoreFolder();
        using SqliteStore other = otherFolder.Open();
        foreach (string path in StoreFolder.Recordings)
        {
            RecordingIntake.Add(store, path, new("the-machine"));
            RecordingIntake.Add(other, path, new(KeepsAddresses: true));
        }

        string rows = store.Dump();
        string[] addresses = [.. ((string[])["client_address", "server_address"])
            .SelectMany(column => other.Column("connection", column)).Select(address => address.Text!).Distinct()];
        Assert.Contains("10.78.0.1", addresses);
        Assert.All(addresses, address => Assert.DoesNotContain(address, rows, StringComparison.Ordinal));
        Assert.DoesNotContain("the-machine", rows, StringComparison.Ordinal);
        Assert.Single(store.Column("recording", "machine").Distinct());
        Assert.All(store.Column("connection", "client_address"), address => Assert.Matches("^(10\\.|fd)", address.Text)); // private ones stay private
    }

    [Fact]
    public void Rows_WithAddresses_AreAsRecorded()
    {
        using SqliteStore store = _folder.Open();
        RecordingIntake.Add(store, ProjectFolder.Fixture("reset.pcapng"), new("the-machine", "Rome", KeepsAddresses: true));
        Assert.Equal("10.78.0.1", store.Column("connection", "client_address").Single().Text);
        Assert.Equal("the-machine", store.Column("direction", "machine")[0].Text);
        Assert.Equal("Rome", store.Column("finding", "site")[0].Text);
    }

    [Fact]
    public void Machine_IsTheSameOverRecordings()
    {
        using SqliteStore store = _folder.Open();
        RecordingIntake.Add(store, ProjectFolder.Fixture("reset.pcapng"), new());
        RecordingIntake.Add(store, ProjectFolder.Fixture("bulk-loss.pcapng"), new());
        StoreValue[] machines = store.Column("recording", "machine");
        Assert.Equal(machines[0], machines[1]);
        Assert.StartsWith("m-", machines[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "1969-12-29")] // a Thursday
    [InlineData(-1, "1969-12-29")]
    [InlineData(345_599_999_999_999, "1969-12-29")] // the end of Sunday, 4 January 1970
    [InlineData(345_600_000_000_000, "1970-01-05")]
    [InlineData(long.MinValue, "1677-09-20")]
    [InlineData(long.MaxValue, "2262-04-07")]
    public void Week_BeginsOnMonday(long nanos, string expected)
    {
        Assert.Equal(expected, RowHead.WeekOf(nanos));
        Assert.Equal(DayOfWeek.Monday, DateOnly.Parse(expected, System.Globalization.CultureInfo.InvariantCulture).DayOfWeek);
    }

    public static TheoryData<string> Fixtures => [.. StoreFolder.Recordings.Select(path => Path.GetFileName(path)!)];

    /// <summary>Every number and every word about a connection in the document has a column with its value, but for those that follow from others.</summary>
    [Theory]
    [MemberData(nameof(Fixtures))]
    public void Rows_HaveEveryFigureOfTheDocument(string name)
    {
        var output = new StringWriter();
        new CommandLine(output, new StringWriter()).Run(["analyze", ProjectFolder.Fixture(name), "--json"]);
        JsonElement document = JsonDocument.Parse(output.ToString()).RootElement;
        using SqliteStore store = _folder.Open();
        RecordingIntake.Add(store, ProjectFolder.Fixture(name), new(KeepsAddresses: true));
        foreach (JsonElement connection in document.GetProperty("connections").EnumerateArray())
        {
            Check(connection, RowsOf(store, "connection")[0], FigureColumns.Connection);
            StoreRowOf[] directions = RowsOf(store, "direction");
            Check(connection.GetProperty("directions")[0], directions[0], FigureColumns.Direction);
            Check(connection.GetProperty("directions")[1], directions[1], FigureColumns.Direction);
        }
    }

    static void Check(JsonElement json, StoreRowOf row, IReadOnlyDictionary<string, string?> columns)
    {
        foreach ((string path, JsonElement value) in FigureColumns.Leaves(json, string.Empty))
        {
            Assert.True(columns.TryGetValue(path, out string? column), $"{path} has no column");
            if (column is not null)
            {
                Assert.Equal(FigureColumns.Expected(path, value), FigureColumns.Stored(row(column)));
            }
        }
    }

    delegate StoreValue StoreRowOf(string column);

    static StoreRowOf[] RowsOf(SqliteStore store, string name)
    {
        StoreTable table = StoreSchema.Find(name)!;
        return [.. store.Query(new StoreQuery(table, StoreFilter.All)).Select<StoreValue[], StoreRowOf>(
            row => column => row[table.Columns.ToList().IndexOf(table.Require(column))])];
    }
}
