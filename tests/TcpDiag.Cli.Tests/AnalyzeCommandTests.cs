using System;
using System.IO;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class AnalyzeCommandTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    int Run(params string[] args) => new CommandLine(_output, _error).Run(["analyze", .. args]);

    [Fact]
    public void Analyze_Trace_ListsItsConnections()
    {
        Assert.Equal(ExitCode.Done, Run(ProjectFolder.Fixture("reset.pcapng")));
        Assert.Contains("10.78.0.1:42712 → 10.78.0.2:443", _output.ToString(), StringComparison.Ordinal);
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Analyze_Json_IsOneDocument()
    {
        Assert.Equal(ExitCode.Done, Run("--json", ProjectFolder.Fixture("reset.pcapng"), ProjectFolder.Fixture("ipv6.pcapng")));
        JsonElement document = JsonDocument.Parse(_output.ToString()).RootElement;
        Assert.Equal(2, document.GetProperty("connections").GetArrayLength());
        Assert.Equal(2, document.GetProperty("files").GetArrayLength());
    }

    [Fact]
    public void Analyze_NoFile_IsWrongUsage() => Assert.Equal(ExitCode.Usage, Run());

    [Fact]
    public void Analyze_MissingFile_Fails()
    {
        Assert.Equal(ExitCode.Failed, Run("/nowhere/at-all.pcapng"));
        Assert.Contains("/nowhere/at-all.pcapng", _error.ToString(), StringComparison.Ordinal);
    }

    // The last packet is cut: everything before it is shown, and the exit code says that the input was damaged.
    [Fact]
    public void Analyze_CutFile_TellsWhatIsThereAndWhere()
    {
        string path = Path.Combine(Directory.CreateTempSubdirectory("tcpdiag-test-").FullName, "cut.pcapng");
        File.WriteAllBytes(path, File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng"))[..^30]);
        try
        {
            Assert.Equal(ExitCode.Damaged, Run(path));
            Assert.Contains("10.78.0.1:42712", _output.ToString(), StringComparison.Ordinal);
            Assert.Contains("cut.pcapng@0x", _error.ToString().ReplaceLineEndings(string.Empty), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(Path.GetDirectoryName(path)!, recursive: true);
        }
    }
}
