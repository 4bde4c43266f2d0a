using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class ConvertCommandTests : IDisposable
{
    static readonly string Netsh = SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl");
    static readonly string PktMon = SharedFolder.PathOf("traces", "windows", "sample-26100-pktmon", "sample-26100-pktmon.etl");

    static readonly string Demo = Path.Combine(AppContext.BaseDirectory, "demo.pcapng");

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-convert-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [SharedFact]
    public void Convert_Trace_WritesUnderItsNameOnly()
    {
        Assert.Equal(ExitCode.Done, Run("convert", Netsh, Out("a.pcapng")));

        Assert.Equal([Out("a.pcapng")], Directory.GetFiles(_folder));
        Assert.Contains("1134 packets of 1 interface,", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [SharedFact]
    public void Convert_SeveralTraces_AreMerged()
    {
        Assert.Equal(ExitCode.Done, Run("convert", Netsh, PktMon, Out("both.pcapng")));

        Assert.Contains($"{1134 + 1576} packets of 6 interfaces", _error.ToString(), StringComparison.Ordinal);
    }

    [SharedFact]
    public void Convert_OntoItsInput_IsRefused()
    {
        string copy = Out("trace.etl");
        File.Copy(Netsh, copy);
        File.CreateSymbolicLink(Out("link.etl"), copy);

        Assert.Equal(ExitCode.Failed, Run("convert", copy, Out("link.etl")));

        Assert.Contains("link.etl: is read and cannot be written at once", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(new FileInfo(Netsh).Length, new FileInfo(copy).Length);
    }

    [SharedFact]
    public void Convert_DamagedTrace_KeepsWhatCouldBeRead()
    {
        string cut = Out("cut.etl");
        File.WriteAllBytes(cut, File.ReadAllBytes(Netsh).AsSpan(0, 300_000).ToArray());

        Assert.Equal(ExitCode.Damaged, Run("convert", cut, Out("cut.pcapng")));

        Assert.True(new FileInfo(Out("cut.pcapng")).Length > 10_000);
        Assert.Contains("cut.etl@0x", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Convert_NoTrace_LeavesNothing()
    {
        string noise = Out("noise.etl");
        File.WriteAllBytes(noise, [.. Enumerable.Repeat((byte)7, 200)]);

        Assert.Equal(ExitCode.Failed, Run("convert", noise, Out("noise.pcapng")));
        Assert.Equal([noise], Directory.GetFiles(_folder));
    }

    [Theory]
    [InlineData("--port", "http")]
    [InlineData("--port", "65536")]
    [InlineData("--host", "example.org")]
    [InlineData("--from", "yesterday evening")]
    public void Convert_FilterThatCannotBeRead_IsWrongUsage(string option, string value)
    {
        Assert.Equal(ExitCode.Usage, Run("convert", "a.etl", "b.pcapng", option, value));
        Assert.Contains($"{option}: cannot read '{value}'", _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0", false)]
    [InlineData("1", true)]
    [InlineData("999", true)]
    [InlineData("no such name", true)]
    public void Convert_InterfaceByNumber_IsNoPartOfAName(string wanted, bool isEmpty)
    {
        Assert.Equal(isEmpty ? ExitCode.NoResult : ExitCode.Done, Run("convert", Demo, Out("a.pcapng"), "--interface", wanted));
        Assert.Equal(isEmpty, _error.ToString().Contains("a.pcapng: not written, no packet passes.", StringComparison.Ordinal));
        Assert.Equal(isEmpty, Directory.GetFiles(_folder).Length == 0);
    }

    [Fact]
    public void Convert_ToALink_WritesWhereItLeads()
    {
        File.CreateSymbolicLink(Out("link.pcapng"), Out("target.pcapng"));

        Assert.Equal(ExitCode.Done, Run("convert", Demo, Out("link.pcapng")));

        Assert.Equal(Out("target.pcapng"), new FileInfo(Out("link.pcapng")).LinkTarget);
        Assert.True(new FileInfo(Out("target.pcapng")).Length > 10_000);
    }

    // A device looks like a file with nothing in it: what exists and is empty must not be replaced by another file.
    [Fact]
    public void Convert_ToAnEmptyFile_WritesInPlace()
    {
        File.WriteAllBytes(Out("empty.pcapng"), []);
        using FileStream held = new(Out("empty.pcapng"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);

        Assert.Equal(ExitCode.Done, Run("convert", Demo, Out("empty.pcapng")));

        Assert.True(held.Length > 10_000);
        Assert.Equal([Out("empty.pcapng")], Directory.GetFiles(_folder));
    }

    [Fact]
    public void Convert_ToAFolder_IsRefused()
    {
        Assert.Equal(ExitCode.Failed, Run("convert", Demo, _folder));

        Assert.Contains("is a folder", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Convert_ToAMissingFolder_NamesTheFile()
    {
        Assert.Equal(ExitCode.Failed, Run("convert", Demo, Path.Combine(_folder, "no", "a.pcapng")));

        Assert.Contains("a.pcapng: the folder to write it to does not exist", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Convert_DropsAndNoDrops_IsWrongUsage()
    {
        Assert.Equal(ExitCode.Usage, Run("convert", "a.etl", "b.pcapng", "--drops-only", "--no-drops"));
    }

    [Fact]
    public void Convert_OneFileAlone_IsWrongUsage() => Assert.Equal(ExitCode.Usage, Run("convert", "a.etl"));

    [SharedFact]
    public void Convert_MissingFolder_FailsInOneLine()
    {
        Assert.Equal(ExitCode.Failed, Run("convert", Netsh, Out(Path.Combine("absent", "a.pcapng"))));
        Assert.Single(_error.ToString().TrimEnd().Split('\n'));
    }

    string Out(string name) => Path.Combine(_folder, name);

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
