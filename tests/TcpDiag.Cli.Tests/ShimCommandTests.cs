using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class ShimCommandTests
{
    static int _count;

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Theory]
    [InlineData("shim run", "--match: expected which packets to impair")]
    [InlineData("shim run --match tcp", "--match: expected a host, port or process that narrows it down, or --all, found 'tcp'.")]
    [InlineData("shim run --match port_443", "match, word 1: expected a test")]
    [InlineData("shim run --near a", "--near and --far: expected both, or neither, found one of them.")]
    [InlineData("shim run --near a --far b --loss 5x", "--loss: expected a probability")]
    [InlineData("shim run --near a --far b --for 60", "--for: expected a time such as 5ms")]
    [InlineData("shim run --near a --far b --for 0s", "--for: expected a time above 0 such as 60s, found '0s'.")]
    [InlineData("shim run --near a --far b --network 10.1.2.3",
        "--network: expected an IPv4 network of 24 bits such as 10.200.0.0, or an IPv6 network of 64 such as fd00::, found '10.1.2.3'.")]
    [InlineData("shim run --match tcp port 9 out port_443 --for 1s", "match, word 5: expected a test")]
    [InlineData("shim run --match tcp out --for 1s", "--match: expected a host, port or process that narrows it down, or --all, found 'tcp out'.")]
    public void Run_WrongOptions_AreWrongUsage(string line, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(line.Split(' ')));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("--near a --far b --divert-priority 30001", "--divert-priority: expected -30000 to 30000, found '30001'")]
    [InlineData("--windivert-filter tcp", "--match: expected a host, port or process that narrows it down, or --all, found 'all'.")]
    public void Run_WrongOptionsOfTheDriver_AreWrongUsage(string options, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(["shim", "run", .. options.Split(' ')]));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
    }

    [UnixTheory]
    [InlineData("--windivert-filter", "tcp")]
    [InlineData("--driver", "/windivert")]
    [InlineData("--divert-priority", "5")]
    public void Run_OptionOfWinDivert_IsWrongUsageElsewhere(string option, string value)
    {
        Assert.Equal(ExitCode.Usage, Run("shim", "run", "--match", "host 192.0.2.1", "--for", "1s", option, value));
        Assert.StartsWith($"tcpdiag: {option}: expected Windows, the only system with WinDivert, found another.", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Doctor_Json_HoldsToItsSchema()
    {
        int exitCode = Run("shim", "doctor", "--json");
        using JsonDocument document = JsonDocument.Parse(_output.ToString());

        Assert.Empty(JsonSchema.Read("shim-doctor.json").Check(_output.ToString()));
        Assert.Equal(document.RootElement.GetProperty("canDivert").ValueKind == JsonValueKind.False ? ExitCode.CheckFailed : ExitCode.Done, exitCode);
        Assert.Equal(9, document.RootElement.GetProperty("errors").GetArrayLength());
    }

    [RootFact("ip")]
    [SupportedOSPlatform("linux")]
    public void Doctor_AsRoot_FindsThatPacketsCanBeDivertedAndLeavesNothing()
    {
        Assert.Equal(ExitCode.Done, Run("shim", "doctor"));
        Assert.StartsWith("ok      A packet queue and its rules can be made (NFQUEUE, nf_tables).\nok      A TUN device can be made.",
            _output.ToString().ReplaceLineEndings("\n"), StringComparison.Ordinal);
        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.TrimEnd('\r').Length, 0, 80));
        Assert.DoesNotContain(NetworkInterface.GetAllNetworkInterfaces(),
            device => device.Name.Equals($"tdcheck{Environment.ProcessId}", System.StringComparison.Ordinal));
    }

    [UnixTheory]
    [InlineData("--driver", "/windivert")]
    [InlineData("--load", "true")]
    public void Doctor_OptionOfWindows_IsWrongUsageElsewhere(string option, string value)
    {
        Assert.Equal(ExitCode.Usage, Run("shim", "doctor", option, value));
        Assert.StartsWith($"tcpdiag: {option}: there is WinDivert on Windows only", _error.ToString(), System.StringComparison.Ordinal);
    }

    [Fact]
    public void Doctor_SignatureRefused_NamesAllThatAsksForOne()
    {
        Assert.Equal(ExitCode.Done, Run("shim", "doctor", "--error", "577"));
        string text = _output.ToString().ReplaceLineEndings(" ");
        Assert.Contains("HVCI", text, System.StringComparison.Ordinal);
        Assert.Contains("WDAC", text, System.StringComparison.Ordinal);
    }

    [Fact]
    public void Doctor_ErrorCode_IsExplained()
    {
        Assert.Equal(ExitCode.Done, Run("shim", "doctor", "--error", "1275"));
        Assert.StartsWith("1275    Windows or a security program has blocked the driver:", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_NoSuchProfile_NamesTheFileAndThePresets()
    {
        Assert.Equal(ExitCode.Failed, Run("shim", "run", "--near", "a", "--far", "b", "--profile", "no-such.yaml"));
        Assert.Equal(
            "tcpdiag: --profile no-such.yaml: no such file, and no such preset; presets are dsl, lte, s1-nic-flush, s2-reorder, satellite, wifi.\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Run_FolderAsProfile_SaysSo()
    {
        Assert.Equal(ExitCode.Failed, Run("shim", "run", "--near", "a", "--far", "b", "--profile", AppContext.BaseDirectory));
        Assert.Contains(": a folder, expected a YAML file or a preset; presets are dsl, ", _error.ToString(), StringComparison.Ordinal);
    }

    [RootFact("setpriv")]
    public void Run_NotAsRoot_SaysWhatHelps()
    {
        using Process run = Start("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "dotnet", ServeCommand[0], "shim", "run", "--match", "tcp",
            "port", "9", "out", "--for", "1s"]);
        string error = run.StandardError.ReadToEnd();
        run.WaitForExit();
        Assert.Equal(ExitCode.Failed, run.ExitCode);
        Assert.EndsWith("Run as root.", Assert.Single(error.TrimEnd().Split('\n')), StringComparison.Ordinal);
    }

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Run_Ipv6AndNoImpairment_PassesEverything() => InNamespaces((near, far) =>
    {
        Run("shim", "run", "--near", near, "--far", far, "--network", "fd00:7::", "--for", "200ms");
        Assert.StartsWith("Emulated    nothing: packets pass unchanged\n", _output.ToString().ReplaceLineEndings("\n"), StringComparison.Ordinal);
    });

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Run_ForOneSecond_EndsByItselfAndLeavesALog()
    {
        string log = Path.GetTempFileName();
        InNamespaces((near, far) =>
        {
            // A fresh device sends some ten packets by itself: one of them a millisecond late would be more than the 1 % that make a run void.
            Assert.Equal(ExitCode.Done, Run("shim", "run", "--near", near, "--far", far, "--profile", "s2-reorder", "--rate", "10mbit", "--seed", "7",
                "--limit", "1s", "--for", "1s", "--log", log, "--json"));
        });
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        using FileStream stream = File.OpenRead(log);
        DecisionLogReader reader = new(stream);
        while (reader.TryRead(out _))
        {
        }

        Assert.Empty(JsonSchema.Read("shim-run.json").Check(_output.ToString()));
        Assert.Equal("tcpdiag/shim-run/1", document.RootElement.GetProperty("schema").GetString());
        Assert.Equal(7, document.RootElement.GetProperty("seed").GetInt32());
        Assert.True(document.RootElement.GetProperty("report").GetProperty("figures").GetProperty("elapsedNs").GetInt64() >= 1_000_000_000);
        Assert.True(reader.IsComplete);
        Assert.Equal("rtt: 25ms\nbuffer: 1bdp\nreorder: out:1pct:replace:5ms\nrate: 10mbit\nlimit: 1s\n", reader.Header.Profile);
        File.Delete(log);
    }

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Run_NoSuchNamespace_SaysHowToMakeIt() => InNamespaces((near, _) =>
    {
        using Process serve = Serve(near, "no-such-place");
        Assert.Contains("Make it first: ip netns add no-such-place", serve.StandardError.ReadToEnd(), StringComparison.Ordinal);
        serve.WaitForExit();
        Assert.Equal(ExitCode.Failed, serve.ExitCode);
    });

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Serve_ParentGone_EndsInOrder() => InNamespaces((near, far) =>
    {
        using Process serve = Serve(near, far);
        Assert.NotNull(serve.StandardOutput.ReadLine());
        serve.StandardInput.Close();
        string last = serve.StandardOutput.ReadToEnd().TrimEnd().Split('\n')[^1];
        serve.WaitForExit();

        Assert.StartsWith("""{"figures":""", last, StringComparison.Ordinal);
        Assert.Equal(ExitCode.Done, serve.ExitCode);
        Assert.DoesNotContain("tcpdiag0", Devices(near));
    });

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Serve_Killed_LeavesNoDevice() => InNamespaces((near, far) =>
    {
        using Process serve = Serve(near, far);
        Assert.NotNull(serve.StandardOutput.ReadLine());
        Assert.Contains("tcpdiag0", Devices(near));
        serve.Kill();
        serve.WaitForExit();

        Assert.DoesNotContain("tcpdiag0", Devices(near));
        Assert.DoesNotContain("tcpdiag0", Devices(far));
    });

    [RootFact("ip")]
    [SupportedOSPlatform("linux")]
    public void Serve_KilledWithRulesInstalled_LeavesNothingDiverted() => InNamespaces((near, _) =>
    {
        for (int run = 0; run < 2; run++)
        {
            // The second run could not install its rules if those of the first were still there.
            using Process serve = Start("ip", ["netns", "exec", near, "dotnet", .. ServeCommand, "--match", "udp port 5001", "--loss", "100pct"]);
            Assert.NotNull(serve.StandardOutput.ReadLine());
            Assert.False(CanSend(near));
            serve.Kill();
            serve.WaitForExit();
            Assert.True(CanSend(near));
        }
    });

    // Whether a datagram crosses the namespace's loopback device within half a second.
    [SupportedOSPlatform("linux")]
    static bool CanSend(string place)
    {
        bool arrived = false;
        NetworkNamespace.Run(place, () =>
        {
            using Socket to = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            to.Bind(new IPEndPoint(IPAddress.Loopback, 5001));
            using Socket from = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            from.SendTo([1], new IPEndPoint(IPAddress.Loopback, 5001));
            arrived = to.Poll(TimeSpan.FromMilliseconds(500), SelectMode.SelectRead);
        });
        return arrived;
    }

    [SupportedOSPlatform("linux")]
    static string[] Devices(string place)
    {
        string[] names = [];
        NetworkNamespace.Run(place, () => names = [.. NetworkInterface.GetAllNetworkInterfaces().Select(device => device.Name)]);
        return names;
    }

    [SupportedOSPlatform("linux")]
    static void InNamespaces(Action<string, string> action)
    {
        string id = FormattableString.Invariant($"{Environment.ProcessId % 100_000}x{Interlocked.Increment(ref _count)}");
        string near = $"tdcn{id}";
        string far = $"tdcf{id}";
        NetworkNamespace.Create(near);
        NetworkNamespace.Create(far);
        try
        {
            action(near, far);
        }
        finally
        {
            NetworkNamespace.Delete(near);
            NetworkNamespace.Delete(far);
        }
    }

    static string[] ServeCommand => [Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "shim", "serve", "--for", "50s"];

    static Process Serve(string near, string far) => Start("dotnet", [.. ServeCommand, "--near", near, "--far", far]);

    static Process Start(string program, string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        return Process.Start(start)!;
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
