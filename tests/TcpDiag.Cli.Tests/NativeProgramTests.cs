using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// The native program of a release does byte for byte what the program of the build does: nothing it needs was left out when it was compiled.
/// </summary>
public sealed class NativeProgramTests : IDisposable
{
    static readonly string Built = Path.Join(AppContext.BaseDirectory, "tcpdiag");
    static readonly string[] Fixtures = [.. Directory.GetFiles(ProjectFolder.PathOf("tests", "fixtures"), "*.pcapng").Select(file => Path.GetFileName(file)!)];

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-native-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [NativeTheory]
    [InlineData("--help")]
    [InlineData("analyze --help")]
    [InlineData("lab run --help")]
    [InlineData("analyze --no-such-option")]
    [InlineData("analyze no-such.pcapng --json")]
    [InlineData("demo --recorded")]
    [InlineData("events --json")]
    [InlineData("events diff 22000 22621")]
    [InlineData("capture --match tcp host 10.0.0.1 --dry-run --windows-build 22621 --json")]
    [InlineData("capture --all --dry-run --windows-build 26100")]
    [InlineData("shim doctor --json")]
    [InlineData("lab run no-such.yaml")]
    [InlineData("lab run faulty.yaml")]
    [InlineData("compare no-such no-such --json")]
    [InlineData("matrix no-such no-such --json")]
    [InlineData("store schema --json")]
    [InlineData("store list --store no-such.db --json")]
    public void Command_Prints_TheSame(string command)
    {
        File.WriteAllText(Path.Join(_folder, "faulty.yaml"), "path: {rtt: quick}\nflow: {bytes: 200kb}\nsides: {only: {}}\n");

        AssertSame(command);
    }

    [NativeTheory]
    [InlineData("info IN --json")]
    [InlineData("dump IN")]
    [InlineData("analyze IN")]
    [InlineData("analyze IN --json")]
    [InlineData("analyze IN --html out")]
    [InlineData("convert IN out")]
    [InlineData("redact IN out --key-file key --verify --json")]
    public void Command_OnFixtures_PrintsAndWritesTheSame(string command)
    {
        File.WriteAllText(Path.Join(_folder, "key"), new string('7', 64));
        foreach (string fixture in Fixtures)
        {
            File.Copy(ProjectFolder.Fixture(fixture), Path.Join(_folder, fixture));
            AssertSame(command.Replace("IN", fixture, StringComparison.Ordinal));
        }
    }

    [NativeSharedTheory]
    [InlineData("info IN --json", "sample-19041-netsh-rundown/sample-19041-netsh-rundown.etl.zip")]
    [InlineData("analyze IN --json", "sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("dump IN", "sample-26100-pktmon/sample-26100-pktmon.etl")]
    [InlineData("convert IN out --events", "sample-22621-netsh/sample-22621-netsh.etl")]
    public void Command_OnWindowsTraces_PrintsAndWritesTheSame(string command, string trace) =>
        AssertSame(command.Replace("IN", SharedFolder.PathOf("traces", "windows", trace), StringComparison.Ordinal));

    [NativeRootFact]
    public void Lab_ARun_IsComparedAndRecorded()
    {
        File.WriteAllText(Path.Join(_folder, "one.yaml"), "path: {rtt: 5ms, limit: 1s}\nflow: {bytes: 200kb}\nsides: {only: {}}\n");

        Assert.Equal(ExitCode.Done, Run(NativeProgram.Path, "lab run one.yaml --iterations 1 --retries 3 --out result").ExitCode);
        Assert.Equal(ExitCode.Done, Run(NativeProgram.Path, "compare result result --json").ExitCode);

        string capture = Directory.GetFiles(Path.Join(_folder, "result"), "*.pcapng", SearchOption.AllDirectories)[0];
        AssertSame($"analyze {capture} --json");
    }

    // Downloaded, it is one file of any name.
    [NativeFact]
    public void Program_Alone_HasItsTrace()
    {
        string alone = Path.Join(_folder, "tcpdiag-1.2.3");
        File.Copy(NativeProgram.Path, alone);
        Assert.Equal(Run(Built, "demo --recorded"), Run(alone, "demo --recorded"));
    }

    void AssertSame(string command)
    {
        (ProgramResult Result, byte[] File) built = RunAndRead(Built, command);
        (ProgramResult Result, byte[] File) native = RunAndRead(NativeProgram.Path, command);
        Assert.Equal(built.Result, native.Result);
        Assert.Equal(built.File, native.File);
    }

    (ProgramResult Result, byte[] File) RunAndRead(string program, string command)
    {
        string output = Path.Join(_folder, "out");
        File.Delete(output);
        ProgramResult result = Run(program, command);
        return (result, File.Exists(output) ? File.ReadAllBytes(output) : []);
    }

    ProgramResult Run(string program, string command) => ExternalProgram.TryRun("env", ["-C", _folder, program, .. command.Split(' ')]);
}
