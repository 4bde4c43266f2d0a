using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Testing;
using TcpDiag.Traces.Tests.Etl;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The program as scripts see it: exit codes, pipes, signals, and what it writes where.</summary>
public sealed class ProcessTests : IDisposable
{
    static readonly string Program = Path.Join(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "tcpdiag.exe" : "tcpdiag");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-process-").FullName;

    static readonly string[] Fixtures = SkipReason.IsQuick
        ? ["bulk-loss.pcapng"] // a process for each takes a second
        : [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Select(file => Path.GetFileName(file)!)];

    static readonly string[] WithJson =
        ["demo --recorded", "events", "events diff 22000 22621", "events --id 1332", .. Fixtures.Select(file => $"analyze {file}"),
            .. Fixtures.Select(file => $"info {file}")];

    public static TheoryData<string> Commands => [.. WithJson, "dump stories/s1-fixed-sender.pcapng", "dump stories/s2-adaptive-sender.pcapng"];

    public static TheoryData<string> JsonCommands => [.. WithJson];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(ExitCode.Done, "analyze", "reset.pcapng")]
    [InlineData(ExitCode.Failed, "analyze", "no-such.pcapng")]
    [InlineData(ExitCode.Usage, "analyze", "--no-such-option")]
    [InlineData(ExitCode.Damaged, "analyze", "cut.pcapng")]
    [InlineData(ExitCode.Damaged, "dump", "cut.pcapng")]
    public void Exit_Outcome_HasItsCode(int code, string command, string argument)
    {
        File.WriteAllBytes(Path.Combine(_folder, "cut.pcapng"), File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))[..^30]);

        (int exitCode, _, string error) = Run($"{command} {argument}");

        Assert.Equal(code, exitCode);
        Assert.Equal(code == ExitCode.Done, error.Length == 0);
    }

    [Fact]
    public void Info_CutTrace_TellsDamageInItsReport()
    {
        File.WriteAllBytes(Path.Combine(_folder, "cut.pcapng"), File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))[..^30]);

        (int exitCode, string output, string error) = Run("info cut.pcapng");

        Assert.Equal((ExitCode.Damaged, string.Empty), (exitCode, error));
        Assert.Contains("damaged or incomplete", output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public void Output_NotATerminal_IsPlainTextOfEightyColumns(string command)
    {
        (int exitCode, string output, string error) = Run(command);

        Assert.Equal((ExitCode.Done, string.Empty), (exitCode, error));
        Assert.All(output.ReplaceLineEndings("\n").Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.DoesNotContain('\u001b', output);
    }

    [Theory]
    [MemberData(nameof(JsonCommands))]
    public void Output_Json_IsOneDocument(string command)
    {
        (int exitCode, string output, string error) = Run($"{command} --json");

        Assert.Equal((ExitCode.Done, string.Empty), (exitCode, error));
        using JsonDocument document = JsonDocument.Parse(output);
        Assert.StartsWith("tcpdiag/", document.RootElement.GetProperty("schema").GetString(), StringComparison.Ordinal);
    }

    // script(1), in the form Linux has it, gives the program a terminal of its own, which is where it would use colours. The runtime itself sets up
    // the keypad of a terminal (ESC [ ? 1 h, ESC =): no colour, and none of ours.
    [LinuxFact("script")]
    public void Output_TerminalAndNoColor_HasNoColours()
    {
        string output = ExternalProgram.Run("sh", "-c", $"NO_COLOR=1 TERM=xterm-256color script -q -c '{Program} demo --recorded' /dev/null < /dev/null")
            .Output;

        Assert.Contains("10.78.0.2:443", output, StringComparison.Ordinal);
        Assert.DoesNotMatch("\u001b\\[[0-9;]*m", output);
    }

    // As head does: it reads a line and goes. The whole trace is some 50 MB of text, a pipe holds 64 kB.
    [Fact]
    public void Dump_ReaderGone_EndsQuietly()
    {
        string trace = Path.Combine(_folder, "long.etl");
        new EtlTraceGenerator().Write(File.Create(trace), records: 100_000);
        using Process process = Start("dump", trace);
        Assert.NotNull(process.StandardOutput.ReadLine());
        process.StandardOutput.Close();

        string error = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(Patience.Limit));

        Assert.Equal((ExitCode.Done, string.Empty), (process.ExitCode, error));
    }

    [UnixFact]
    public void Analyze_Interrupted_Ends130()
    {
        using Process process = Start("analyze", "-");
        using var overdue = new CancellationTokenSource(Patience.Limit);
        using CancellationTokenRegistration end = overdue.Token.Register(process.Kill); // else a deaf program would be fed for ever
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Task feeding = Task.Run(() => Feed(process.StandardInput.BaseStream, started));
        Assert.True(started.Task.Wait(Patience.Limit));
        ExternalProgram.Run("kill", "-INT", process.Id.ToString(CultureInfo.InvariantCulture));

        string error = process.StandardError.ReadToEnd();
        Assert.True(process.WaitForExit(Patience.Limit));
        Assert.True(feeding.Wait(Patience.Limit));

        Assert.Equal((ExitCode.Interrupted, "tcpdiag: interrupted\n"), (process.ExitCode, error));
    }

    // A trace that never ends: sections may follow each other without limit.
    static void Feed(Stream input, TaskCompletionSource started)
    {
        const int WellUnderWay = 1 << 24;
        byte[] trace = File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"));
        try
        {
            for (long written = 0; ; written += trace.Length)
            {
                input.Write(trace);
                if (written > WellUnderWay)
                {
                    started.TrySetResult();
                }
            }
        }
        catch (IOException)
        {
            // The program has ended, as it should.
        }
    }

    (int ExitCode, string Output, string Error) Run(string command)
    {
        using Process process = Start([.. command.Split(' ').Select(Locate)]);
        process.StandardInput.Close();
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        Assert.True(process.WaitForExit(Patience.Limit));
        return (process.ExitCode, output, error.Result);
    }

    string Locate(string word) =>
        ((string[])[Path.Combine(_folder, word), ProjectFolder.Fixture(word)]).FirstOrDefault(File.Exists) ?? word;

    static Process Start(params IReadOnlyList<string> arguments) => Process.Start(new ProcessStartInfo(Program, arguments)
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
        RedirectStandardError = true,
        StandardOutputEncoding = System.Text.Encoding.UTF8,
    })!;
}
