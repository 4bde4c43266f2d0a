using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Testing;

namespace TcpDiag.Store.Tests.Servers;

/// <summary>A real server of ClickHouse, in a folder and on ports of its own, that ends with the test.</summary>
sealed class ClickHouseProcess : IDisposable
{
    /// <summary>A user with a password.</summary>
    public const string Password = "pass wörd&=?";

    // Version 18 runs what concerns all servers under the settings of their profile (docs/store-cluster.md).
    const string OldDictionaries = "<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>";

    static readonly TimeSpan StartTime = TimeSpan.FromSeconds(60);

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-clickhouse-").FullName;
    readonly ManualResetEventSlim _never = new();
    Process? _process;

    /// <summary>Starts one by itself.</summary>
    public static ClickHouseProcess Start(string more = "")
    {
        var server = new ClickHouseProcess();
        server.WriteConfiguration(more);
        server.Start();
        return server;
    }

    /// <summary>Starts two that are the cluster <c>pair</c>.</summary>
    public static ClickHouseProcess[] StartPair()
    {
        ClickHouseProcess[] servers = [new(), new()];
        string shards = string.Concat(servers.Select(server =>
            FormattableString.Invariant($"<shard><replica><host>127.0.0.1</host><port>{server.NativePort}</port></replica></shard>")));
        foreach (ClickHouseProcess server in servers)
        {
            server.WriteConfiguration($"<remote_servers><pair>{shards}</pair></remote_servers>");
            server.Start();
        }

        return servers;
    }

    /// <summary>Starts two that are copies of each other, the cluster <c>copies</c> of one shard, by a keeper on this machine.</summary>
    public static ClickHouseProcess[] StartCopies(int keeperPort)
    {
        ClickHouseProcess[] servers = [new(), new()];
        string replicas = string.Concat(servers.Select(server =>
            FormattableString.Invariant($"<replica><host>127.0.0.1</host><port>{server.NativePort}</port></replica>")));
        foreach ((int number, ClickHouseProcess server) in servers.Index())
        {
            server.WriteConfiguration(FormattableString.Invariant($"""
                <remote_servers><copies><shard><internal_replication>true</internal_replication>{replicas}</shard></copies></remote_servers>
                <zookeeper><node><host>127.0.0.1</host><port>{keeperPort}</port></node><session_timeout_ms>10000</session_timeout_ms></zookeeper>
                <macros><shard>1</shard><replica>{number}</replica></macros>
                <distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
                <interserver_http_host>127.0.0.1</interserver_http_host><interserver_http_port>{FreePort()}</interserver_http_port>
                """), OldDictionaries);
            server.Start();
        }

        return servers;
    }

    /// <summary>The port of its HTTP interface.</summary>
    public int Port { get; } = FreePort();

    /// <summary>The port by which servers of a cluster talk.</summary>
    public int NativePort { get; } = FreePort();

    /// <summary>HOST:PORT of its HTTP interface.</summary>
    public string Address => FormattableString.Invariant($"127.0.0.1:{Port}");

    /// <summary>A location on it.</summary>
    public string Location(string database) => $"clickhouse://{Address}/{database}";

    /// <summary>A port that nobody listens on.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Starts it, again after it was killed.</summary>
    public void Start()
    {
        // Whatever ends this process ends the server too.
        var start = new ProcessStartInfo("setpriv", ["--pdeathsig", "KILL", ExternalProgram.Find("clickhouse-server")!, $"--config-file={_folder}/config.xml"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _process = StartFromLastingThread(start);
        _process.OutputDataReceived += (_, _) => { };
        _process.ErrorDataReceived += (_, _) => { };
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        WaitUntilItAnswers();
    }

    /// <summary>Ends it as SIGKILL does.</summary>
    public void Kill()
    {
        _process?.Kill();
        _process?.WaitForExit(StartTime); // not for the ends of its pipes, which a process that was begun just then may hold
        _process?.Dispose();
        _process = null;
    }

    /// <summary>Runs a statement, past the program.</summary>
    public string Ask(string sql, string settings = "")
    {
        using var http = new HttpClient();
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri($"http://{Address}/?{settings}")) { Content = new StringContent(sql) };
        using HttpResponseMessage response = http.Send(request);
        using var reader = new StreamReader(response.Content.ReadAsStream());
        return reader.ReadToEnd().TrimEnd('\n');
    }

    public void Dispose()
    {
        Kill();
        Directory.Delete(_folder, recursive: true);
        _never.Dispose();
    }

    /// <summary>Starts a program by setpriv: the death signal comes when the thread ends that started it (prctl(2)), and one of the pool may end at any time.</summary>
    public static Process StartFromLastingThread(ProcessStartInfo start)
    {
        Process? process = null;
        using var isStarted = new ManualResetEventSlim();
        var thread = new Thread(() =>
        {
            process = Process.Start(start);
            isStarted.Set();
            process?.WaitForExit();
        })
        { IsBackground = true };
        thread.Start();
        isStarted.Wait();
        return process ?? throw new InvalidOperationException("clickhouse-server did not start");
    }

    void WaitUntilItAnswers()
    {
        long begun = Stopwatch.GetTimestamp();
        while (!IsAnswering())
        {
            if (_process!.HasExited || Stopwatch.GetElapsedTime(begun) > StartTime)
            {
                throw new InvalidOperationException($"clickhouse-server does not answer: {File.ReadAllText(Path.Combine(_folder, "error.log"))}");
            }

            _never.Wait(50);
        }
    }

    bool IsAnswering()
    {
        try
        {
            return Ask("SELECT 1") is "1";
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }

    void WriteConfiguration(string more, string profile = "")
    {
        string secret = Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(Password)));
        File.WriteAllText(Path.Combine(_folder, "config.xml"), FormattableString.Invariant($"""
            <?xml version="1.0"?>
            <yandex>
              <logger><level>warning</level><log>{_folder}/server.log</log><errorlog>{_folder}/error.log</errorlog></logger>
              <http_port>{Port}</http_port><tcp_port>{NativePort}</tcp_port><listen_host>127.0.0.1</listen_host>
              <path>{_folder}/data/</path><tmp_path>{_folder}/tmp/</tmp_path><timezone>UTC</timezone>
              <users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
              <mark_cache_size>268435456</mark_cache_size>{more}
            </yandex>
            """));
        const string network = "<networks><ip>127.0.0.1</ip></networks><quota>default</quota>";
        File.WriteAllText(Path.Combine(_folder, "users.xml"), $"""
            <?xml version="1.0"?>
            <yandex>
              <profiles><default><max_memory_usage>6000000000</max_memory_usage>{profile}</default><readonly><readonly>1</readonly></readonly></profiles>
              <users>
                <default><password></password>{network}<profile>default</profile></default>
                <fleet><password_sha256_hex>{secret}</password_sha256_hex>{network}<profile>default</profile></fleet>
                <reader><password_sha256_hex>{secret}</password_sha256_hex>{network}<profile>readonly</profile></reader>
              </users>
              <quotas><default><interval><duration>3600</duration></interval></default></quotas>
            </yandex>
            """);
    }
}
