using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests.Servers;

/// <summary>A real keeper (Debian's zookeeper), on loopback and in a folder of its own, that ends with the test.</summary>
sealed class ZooKeeperProcess : IDisposable
{
    /// <summary>Its program, as Debian installs it.</summary>
    public const string Library = "/usr/share/java/zookeeper.jar";

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-keeper-").FullName;
    readonly Process _process;

    public ZooKeeperProcess()
    {
        string configuration = Path.Combine(_folder, "zoo.cfg");
        File.WriteAllText(configuration, FormattableString.Invariant(
            $"tickTime=1000\ninitLimit=10\nsyncLimit=5\ndataDir={_folder}\nclientPort={Port}\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n"));
        var start = new ProcessStartInfo("setpriv", ["--pdeathsig", "KILL", "java", "-Xmx256m", "-cp", Library, "org.apache.zookeeper.server.ZooKeeperServerMain", configuration])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        _process = ClickHouseProcess.StartFromLastingThread(start);
        _process.OutputDataReceived += (_, _) => { };
        _process.ErrorDataReceived += (_, _) => { };
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        WaitUntilItServes();
    }

    /// <summary>Where it listens.</summary>
    public int Port { get; } = ClickHouseProcess.FreePort();

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    // It listens before it serves, and a server that is turned away then may not come back.
    void WaitUntilItServes()
    {
        using var never = new ManualResetEventSlim();
        for (int attempt = 0; !IsServing(); attempt++)
        {
            Assert.True(attempt < 600 && !_process.HasExited, "the keeper does not serve");
            never.Wait(100);
        }
    }

    bool IsServing()
    {
        try
        {
            using var client = new TcpClient();
            client.ReceiveTimeout = 1000;
            client.Connect(IPAddress.Loopback, Port);
            client.GetStream().Write("srvr"u8);
            using var reader = new StreamReader(client.GetStream());
            return reader.ReadToEnd().Contains("Mode: ", StringComparison.Ordinal);
        }
        catch (Exception exception) when (exception is SocketException or IOException)
        {
            return false;
        }
    }
}

/// <summary>A fact about servers that a keeper holds together.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class KeeperFactAttribute : FactAttribute
{
    public KeeperFactAttribute() => Skip = SkipReason.Linux() ?? SkipReason.Tools("clickhouse-server", "setpriv", "java")
        ?? (File.Exists(ZooKeeperProcess.Library) ? null : $"tool: no {ZooKeeperProcess.Library} (Debian's zookeeper)");
}
