using System;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>A file that is there is replaced on request alone, by every command that writes one.</summary>
public sealed class ForceTests : IDisposable
{
    const string Mine = "mine";

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
    readonly StringWriter _error = new();

    string Target => Path.Combine(_folder, "target");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("analyze TRACE --html TARGET")]
    [InlineData("analyze TRACE --csv TARGET")]
    [InlineData("convert TRACE TARGET")]
    [InlineData("redact TRACE TARGET")]
    public void Run_FileThatIsThere_IsReplacedOnRequestAlone(string line)
    {
        File.WriteAllText(Target, Mine);
        Assert.Equal(ExitCode.Usage, Run(line));
        Assert.Equal(
            $"tcpdiag: {Target}: is there already, and would be replaced. Name another file to write, or --force to replace it.\n",
            _error.ToString().ReplaceLineEndings("\n"));
        Assert.Equal(Mine, File.ReadAllText(Target));
        Assert.Single(Directory.GetFiles(_folder));

        Assert.Equal(ExitCode.Done, Run($"{line} --force"));
        Assert.NotEqual(Mine, File.ReadAllText(Target));
    }

    [Theory]
    [InlineData("shim run --log TARGET --match tcp port 9")]
    [InlineData("shim run --between TARGET --match tcp port 9")]
    public void Run_OfShim_RefusesBeforeAnythingBegins(string line)
    {
        File.WriteAllText(Target, Mine);
        Assert.Equal(ExitCode.Usage, Run(line));
        Assert.Contains("--force", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(Mine, File.ReadAllText(Target));
    }

    [LinuxFact]
    public void Run_OfCapture_RefusesBeforeAnythingBegins()
    {
        File.WriteAllText(Target, Mine);
        Assert.Equal(ExitCode.Usage, Run("capture --match tcp port 9 --for 10ms --out TARGET"));
        Assert.Contains("--force", _error.ToString(), StringComparison.Ordinal);
        Assert.Equal(Mine, File.ReadAllText(Target));
    }

    // What mktemp makes for a script holds nothing that could be lost.
    [Fact]
    public void Run_EmptyFile_IsWritten()
    {
        File.WriteAllText(Target, string.Empty);
        Assert.Equal(ExitCode.Done, Run("convert TRACE TARGET"));
        Assert.NotEqual(0, new FileInfo(Target).Length);
    }

    [Fact]
    public void Run_LinkToAFile_IsThatFile()
    {
        File.WriteAllText(Target, Mine);
        string link = Path.Combine(_folder, "link");
        File.CreateSymbolicLink(link, Target);
        Assert.Equal(ExitCode.Usage, new CommandLine(TextWriter.Null, _error).Run(["convert", ProjectFolder.Fixture("reset.pcapng"), link]));
        Assert.Equal(Mine, File.ReadAllText(Target));
    }

    int Run(string line)
    {
        string[] words = [.. line.Split(' ').Select(word => word switch
        {
            "TRACE" => ProjectFolder.Fixture("reset.pcapng"),
            "TARGET" => Target,
            _ => word,
        })];
        return new CommandLine(TextWriter.Null, _error).Run(words);
    }
}
