using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>What is of ClickHouse alone: how it is reached, who may, and how it is spread over servers.</summary>
public sealed class ClickHouseStoreTests : IDisposable
{
    const string Server = "clickhouse-server";

    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("clickhouse://host/fleet", "http://host:8123/", null, null)]
    [InlineData("clickhouses://host/fleet", "https://host:8443/", null, null)]
    [InlineData("clickhouse://ann@[::1]:80/fleet?ttl=90", "http://[::1]/", "ann", null)]
    [InlineData("clickhouse://a:1,b:2/fleet?cluster=pair&ttl=90", "http://a:1/ http://b:2/", null, "pair")]
    public void Location_IsRead(string text, string servers, string? user, string? cluster)
    {
        var location = ClickHouseLocation.Parse(text);
        Assert.Equal((servers, user, "fleet", cluster), (string.Join(' ', location.Servers), location.User, location.Database, location.Cluster));
    }

    [Theory]
    [InlineData("clickhouse://host", "expected the name of a database behind the host, of letters, digits and _, found ''")]
    [InlineData("clickhouse://host/x;DROP", "found 'x;DROP'")]
    [InlineData("clickhouse:///fleet", "expected HOST or HOST:PORT, found ''")]
    [InlineData("clickhouse://host:99999/fleet", "expected HOST or HOST:PORT, found 'host:99999'")]
    [InlineData("clickhouse://host/fleet?ttl=0", "expected ttl=DAYS, 1 to 36500, found 'ttl=0'")]
    [InlineData("clickhouse://host/fleet?cluster=a'b", "expected cluster=NAME, of letters, digits and _, found 'cluster=a'b'")]
    [InlineData("clickhouse://host/fleet?tls=1", "expected cluster=NAME or ttl=DAYS, found 'tls=1'")]
    [InlineData("clickhouse://ann:secret@host/fleet", "a password is seen by everybody on a command line")]
    public void Location_Wrong_IsToldInOneLine(string text, string expected)
    {
        string message = Assert.Throws<StoreException>(() => ClickHouseLocation.Parse(text)).Message;
        Assert.Contains(expected, message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", message, StringComparison.Ordinal);
    }

    [ToolFact(Server, "setpriv")]
    public void Password_OfTheEnvironmentOrAFile_IsAsked()
    {
        string file = _folder.FileOf("password");
        File.WriteAllText(file, ClickHouseProcess.Password + "\n");
        string location = _folder.LocationOf(StoreEngine.ClickHouse).Replace("://", "://fleet@", StringComparison.Ordinal);
        string add = $"dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} store add {ProjectFolder.Fixture("reset.pcapng")} --store {location}";
        ProgramResult wrong = ExternalProgram.TryRun("bash", ["-c", $"TCPDIAG_CLICKHOUSE_PASSWORD=wrong {add}"]);
        Assert.Equal((1, $"tcpdiag: {location}: the server knows no such user and password. Set TCPDIAG_CLICKHOUSE_USER and TCPDIAG_CLICKHOUSE_PASSWORD.\n"),
            (wrong.ExitCode, wrong.Error));
        Assert.Equal(0, ExternalProgram.TryRun("bash", ["-c", $"TCPDIAG_CLICKHOUSE_PASSWORD_FILE={file} {add}"]).ExitCode);
        ProgramResult again = ExternalProgram.TryRun("bash", ["-c", $"TCPDIAG_CLICKHOUSE_PASSWORD='{ClickHouseProcess.Password}' {add}"]);
        Assert.StartsWith("kept ", again.Output, StringComparison.Ordinal);
    }

    /// <summary>Who may only read reads: a report needs no more.</summary>
    [ToolFact(Server, "setpriv")]
    public void Reader_MayRead_AndIsToldThatHeMayNotWrite()
    {
        using (IResultStore store = _folder.Open(StoreEngine.ClickHouse))
        {
            store.Add(StoreAsking.MadeUp(1));
        }

        string location = _folder.LocationOf(StoreEngine.ClickHouse).Replace("://", "://reader@", StringComparison.Ordinal);
        string tool = $"TCPDIAG_CLICKHOUSE_PASSWORD='{ClickHouseProcess.Password}' dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} store";
        ProgramResult read = ExternalProgram.TryRun("bash", ["-c", $"{tool} query finding --is build=26100 --store {location}"]);
        Assert.Equal((0, string.Empty), (read.ExitCode, read.Error));
        Assert.Contains("path-loss", read.Output, StringComparison.Ordinal);
        ProgramResult write = ExternalProgram.TryRun("bash", ["-c", $"{tool} prune --before 2100-01-01 --store {location}"]);
        Assert.Equal((1, $"tcpdiag: {location}: this user may only read.\n"), (write.ExitCode, write.Error));
    }

    [ToolFact(Server, "setpriv")]
    public void Open_WhatIsNoStore_IsToldInOneLine()
    {
        string missing = SharedServer.Server.Location("nowhere");
        Assert.Equal($"{missing}: there is no such store. tcpdiag store add makes it.", Assert.Throws<StoreException>(() => ResultStores.Open(missing)).Message);
        string other = _folder.LocationOf(StoreEngine.ClickHouse);
        string database = other[(other.LastIndexOf('/') + 1)..];
        SharedServer.Server.Ask($"CREATE DATABASE {database}");
        SharedServer.Server.Ask($"CREATE TABLE {database}.payroll (x Int64) ENGINE = Memory");
        Assert.Equal($"{other}: is no store of tcpdiag, but a database of another program.",
            Assert.Throws<StoreException>(() => ResultStores.Open(other, isCreated: true)).Message);
        Assert.Equal("payroll", SharedServer.Server.Ask($"SELECT name FROM system.tables WHERE database = '{database}'"));
        string cluster = $"{SharedServer.Server.Location("spread")}?cluster=nosuch";
        Assert.Equal($"{cluster}: the server knows no cluster 'nosuch' (system.clusters lists those it knows).",
            Assert.Throws<StoreException>(() => ResultStores.Open(cluster, isCreated: true)).Message);
    }

    [ToolFact(Server, "setpriv")]
    public void Open_NewerSchema_AsksForANewerProgram()
    {
        using IResultStore store = _folder.Open(StoreEngine.ClickHouse);
        string database = store.Location[(store.Location.LastIndexOf('/') + 1)..];
        SharedServer.Server.Ask($"INSERT INTO {database}.schema_version VALUES (99, 0, '9.9')");
        Assert.StartsWith($"{store.Location}: is of schema 99, expected at most ", Assert.Throws<StoreException>(() => ResultStores.Open(store.Location)).Message,
            StringComparison.Ordinal);
    }

    /// <summary>A store of the schema before lacks columns; they are added, and what is there stays.</summary>
    [ToolFact(Server, "setpriv")]
    public void Open_OlderSchema_GetsWhatItLacks()
    {
        using (IResultStore store = _folder.Open(StoreEngine.ClickHouse))
        {
            store.Add(StoreAsking.MadeUp(1));
        }

        string location = _folder.LocationOf(StoreEngine.ClickHouse);
        string database = location[(location.LastIndexOf('/') + 1)..];
        SharedServer.Server.Ask($"ALTER TABLE {database}.direction DROP COLUMN goodput_bps");
        SharedServer.Server.Ask($"TRUNCATE TABLE {database}.schema_version");
        SharedServer.Server.Ask($"INSERT INTO {database}.schema_version VALUES (1, 0, '0.0')");
        using IResultStore grown = _folder.Open(StoreEngine.ClickHouse);
        Assert.Equal(AddOutcome.Added, RecordingIntake.Add(grown, ProjectFolder.Fixture("reset.pcapng"), new()).Outcome);
        Assert.Equal(2, grown.CountOf("finding"));
        Assert.Equal(2, grown.Query(new StoreQuery(StoreSchema.Directions, [StoreSchema.Directions.Require("goodput_bps")], StoreFilter.All)).Count());
    }

    [ToolFact(Server, "setpriv")]
    public void Tls_BelievesTheNamedCertificateAlone()
    {
        int port = ClickHouseProcess.FreePort();
        (string certificate, string key) = MakeCertificate();
        using ClickHouseProcess server = ClickHouseProcess.Start(
            $"<https_port>{port}</https_port><openSSL><server><certificateFile>{certificate}</certificateFile><privateKeyFile>{key}</privateKeyFile>"
            + "<verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile></server></openSSL>");
        string tool = $"dotnet {Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll")} store add {ProjectFolder.Fixture("reset.pcapng")} --store";
        string location = $"clickhouses://127.0.0.1:{port}/fleet";
        ProgramResult unknown = ExternalProgram.TryRun("bash", ["-c", $"{tool} {location}"]);
        Assert.Equal(1, unknown.ExitCode);
        Assert.StartsWith($"tcpdiag: {location}: the server's certificate is not believed: ", unknown.Error, StringComparison.Ordinal);
        ProgramResult known = ExternalProgram.TryRun("bash", ["-c", $"TCPDIAG_CLICKHOUSE_CA={certificate} {tool} {location}"]);
        Assert.True(known.ExitCode == 0, known.Error);
        ProgramResult plain = ExternalProgram.TryRun("bash", ["-c", $"{tool} clickhouses://{server.Address}/fleet"]);
        Assert.Equal(1, plain.ExitCode);

        // A server that waits for the rest of what it takes for HTTP, or one that refuses it at once.
        Assert.Contains(plain.Error, (string[])
        [
            $"tcpdiag: clickhouses://{server.Address}/fleet: does not answer. Servers speak TLS at a port of its own (https_port, usually 8443).\n",
            $"tcpdiag: clickhouses://{server.Address}/fleet: the server does not speak TLS at this port.\n",
        ]);
        ProgramResult other = ExternalProgram.TryRun("bash", ["-c", $"{tool} clickhouse://127.0.0.1:{server.NativePort}/fleet"]);
        Assert.Equal(1, other.ExitCode);
        Assert.Single(other.Error.TrimEnd('\n').Split('\n'));
    }

    /// <summary>Two shards: rows lie on both, each result on one, and every figure is that of one file.</summary>
    [ToolFact(Server, "setpriv")]
    public void TwoShards_AreOneStore()
    {
        ClickHouseProcess[] pair = ClickHouseProcess.StartPair();
        using ClickHouseProcess first = pair[0];
        using ClickHouseProcess second = pair[1];
        string location = $"clickhouse://{first.Address},{second.Address}/fleet?cluster=pair";
        using IResultStore file = _folder.Open(StoreEngine.Sqlite);
        using var store = ClickHouseStore.Open(location, isCreated: true);
        using var other = ClickHouseStore.Open($"clickhouse://{second.Address},{first.Address}/fleet?cluster=pair", isCreated: true);
        Assert.Equal(store.Key.PseudonymOf("p", "host"), other.Key.PseudonymOf("p", "host"));
        ResultRows[] results = [.. MadeFleet.Results(new FleetPlan(3, 60, 4, 9) { Regression = 0.7 })];
        results.ToList().ForEach(result => file.Add(result));
        Assert.All(results.Chunk(60), some => Assert.All(store.AddAll(some), outcome => Assert.Equal(AddOutcome.Added, outcome)));
        Assert.All(results.Take(5), result => Assert.Equal(AddOutcome.Kept, other.Add(result)));
        long[] rows = [.. pair.Select(server => long.Parse(server.Ask("SELECT count() FROM fleet.direction_local"), System.Globalization.CultureInfo.InvariantCulture))];
        Assert.Equal(60 * 4 * 9, rows.Sum());
        Assert.All(rows, count => Assert.True(count > 500, $"{rows[0]} and {rows[1]}"));
        Assert.Equal(file.Dump(), other.Dump());
        Assert.Equal(Text(file), Text(store));
        var fastest = new StoreQuery(StoreSchema.Directions, StoreSchema.Directions.Columns, StoreFilter.All)
        {
            Largest = StoreSchema.Directions.Require("goodput_bps"),
            Limit = 50,
            Skipped = 7,
        };
        Assert.Equal(file.Query(fastest).Select(row => string.Join(' ', row)), store.Query(fastest).Select(row => string.Join(' ', row)));
        StoreFilter old = StoreFilter.All.And("week", ConditionKind.Below, StoreValue.Of("2026-09-07"));
        Assert.Equal((60, 60), (file.Prune(old), store.Prune(old)));
        other.Compact();
        Assert.Equal(file.Dump(), store.Dump());
        Assert.Equal(60 * 3 * 9, pair.Sum(server => long.Parse(server.Ask("SELECT count() FROM fleet.direction_local"), System.Globalization.CultureInfo.InvariantCulture)));
        second.Kill();
        Assert.Throws<StoreUnreachableException>(() => store.Dump()); // half of the fleet is never shown for the whole
    }

    /// <summary>Two drop folders of the same path on two machines are two; one that two machines see is one.</summary>
    [ToolFact(Server, "setpriv")]
    public void Folders_AreKnownByTheirMark()
    {
        var names = new FolderNames();
        string one = Directory.CreateDirectory(_folder.FileOf("one")).FullName;
        string two = Directory.CreateDirectory(_folder.FileOf("two")).FullName;
        string Of(string root) => names.Of(new DropFile(root, Path.Combine(root, "a.pcapng"), 1, 1));
        Assert.NotEqual(Of(one), Of(two));
        string before = Of(one);
        Directory.Move(one, _folder.FileOf("moved"));
        Assert.Equal(before, new FolderNames().Of(new DropFile(_folder.FileOf("moved"), Path.Combine(_folder.FileOf("moved"), "a.pcapng"), 1, 1)));
    }

    /// <summary>The report of a made-up fleet, from both engines, to the last byte.</summary>
    [Theory]
    [OnClickHouse("build")]
    [OnClickHouse("nic")]
    public void FleetReport_IsTheSameFromBothEngines(StoreEngine engine, string by)
    {
        string[] reports = [.. new[] { StoreEngine.Sqlite, engine }.Select(one =>
        {
            using IIngestStore store = _folder.Open(one);
            foreach (ResultRows[] some in MadeFleet.Results(new FleetPlan(9, 60, 5, 9) { Regression = 0.7, HasBadNic = true }).Chunk(60))
            {
                _ = store is ClickHouseStore server ? server.AddAll(some).Count : some.Count(result => store.Add(result) == AddOutcome.Added);
            }

            ProgramResult result = OwnProcess.Run(["fleet", "report", "--by", by, "--json", "--store", store.Location]);
            Assert.Equal(string.Empty, result.Error);
            return result.Output.Replace(store.Location, "STORE", StringComparison.Ordinal);
        })];
        Assert.Equal(reports[0], reports[1]);
        Assert.Contains("regressed", reports[0], StringComparison.Ordinal);
    }

    static string Text(IResultStore store)
    {
        FleetReport report = FleetBuilder.Build(store, "build", 4, StoreFilter.All);
        return string.Join('\n', report.Changes.Select(change => $"{change.Group} {change.Path} {change.Machines} {change.Judgement}").Concat(report.Findings.Select(finding => $"{finding}")));
    }

    (string Certificate, string Key) MakeCertificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=127.0.0.1", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(System.Net.IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using X509Certificate2 certificate = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
        File.WriteAllText(_folder.FileOf("server.crt"), certificate.ExportCertificatePem());
        File.WriteAllText(_folder.FileOf("server.key"), key.ExportPkcs8PrivateKeyPem());
        return (_folder.FileOf("server.crt"), _folder.FileOf("server.key"));
    }
}
