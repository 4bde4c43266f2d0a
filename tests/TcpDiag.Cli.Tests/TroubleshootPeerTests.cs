using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Answers with more than one place to look from.</summary>
public sealed class TroubleshootPeerTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    [Theory]
    [InlineData("the secret of lab serve is needed too: --token-file FILE", "--speed", "192.0.2.7")]
    [InlineData("--token-file is of --speed and --peer", "--token-file", "x")]
    [InlineData("--url and --peer both say what is slow: give one of them", "--url", "http://h/", "--peer", "192.0.2.7", "--token-file", "x")]
    [InlineData("--speed: expected HOST or HOST:PORT such as 192.0.2.7:5202, found '192.0.2.7:x'", "--speed", "192.0.2.7:x", "--token-file", "x")]
    [InlineData("--code: expected new, or a code such as K7QMD-2XWPA-94RTH-CJ6VN, found 'abc'", "--code", "abc")]
    [InlineData("--code is about what stands in place of names, --with-names keeps them: give one of them", "--code", "new", "--with-names")]
    [InlineData("--speed is about what is recorded now", "--recorded", "a.etl", "--speed", "192.0.2.7", "--token-file", "x")]
    public void Troubleshoot_WrongOptions_AreWrongUsage(string expected, params string[] options)
    {
        Assert.Equal(ExitCode.Usage, Run(["troubleshoot", .. options]));
        Assert.Contains(expected, _error.ToString(), StringComparison.Ordinal);
    }

    // The recorder at the receiver of the story saw all that the one at the sender saw leaving: the window is the cause, the path loses nothing.
    [Fact]
    public void Troubleshoot_RecordingsOfBothEnds_AreFollowedFromOneToTheOther()
    {
        string[] ends = [.. ((string[])["sender", "receiver"]).Select(
            end => ProjectFolder.PathOf("tests", "fixtures", "stories", $"s4-half-window-{end}.pcapng"))];
        Run("troubleshoot", "--recorded", ends[0], "--recorded", ends[1], "--language", "en");

        string answer = _output.ToString();
        Assert.Contains("What: the receive window was smaller than what the path holds.", answer, StringComparison.Ordinal);
        Assert.Matches(@"Seen from several points\n  - from s4-half-window-sender\.pcapng to s4-half-window-receiver\.pcapng: all\s+\d+\s+packets with data arrived", answer);
    }

    [Fact]
    public void Troubleshoot_OneRecording_SaysNothingOfSeveral()
    {
        Run("troubleshoot", "--recorded", ProjectFolder.PathOf("tests", "fixtures", "stories", "s4-half-window-sender.pcapng"), "--language", "en");
        Assert.DoesNotContain("several points", _output.ToString(), StringComparison.Ordinal);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}

/// <summary>A real machine at the other end that serves and records, over a path that drops each 100th packet on the way in (troubleshoot-peer.sh).</summary>
[Trait("Needs", "time")]
public sealed partial class TroubleshootPeerPathTests : IDisposable
{
    const int Network = 11;

    readonly string _folder = Path.Combine(Path.GetTempPath(), $"tcpdiag-{Guid.NewGuid():N}");

    public void Dispose()
    {
        if (Directory.Exists(_folder))
        {
            Directory.Delete(_folder, recursive: true);
        }
    }

    [RootFact("unshare", "ip")]
    public void Peer_RecordsToo_AndBothShowWhereTheLossIs()
    {
        ProgramResult result = Run("--peer", "--code", "new");
        Assert.True(result.ExitCode == Network, $"{result.ExitCode}\n{result.Output}\n{result.Error}");
        string answer = Blank().Replace(result.Output, " ");
        Assert.Contains("from this computer to the other machine: ", answer, StringComparison.Ordinal);
        Match lost = Lost().Match(answer);
        Assert.True(lost.Success, result.Output);
        // each 100th, others among them
        Assert.InRange(int.Parse(lost.Groups["lost"].ValueSpan, null) / double.Parse(lost.Groups["all"].ValueSpan, null), 0.005, 0.015);
        Assert.Superset(
            new HashSet<string>(StringComparer.Ordinal) { "answer.html", "far-download.pcapng", "far-upload.pcapng", "recording.tcpdiag", "report.html",
                "ticket.txt" },
            Directory.GetFiles(_folder).Select(path => Path.GetFileName(path)).ToHashSet(StringComparer.Ordinal));
        Assert.DoesNotContain(Directory.GetFiles(_folder), file => Path.GetFileName(file).StartsWith("original", StringComparison.Ordinal));
        Assert.Matches("--code [2-9A-Z]{5}(-[2-9A-Z]{5}){3}", answer);

        // The same from the files that are passed on: the pseudonyms fit together.
        var output = new StringWriter();
        string[] recorded = [.. ((string[])["recording.tcpdiag", "far-upload.pcapng", "far-download.pcapng"]).SelectMany(
            name => (string[])["--recorded", Path.Combine(_folder, name)])];
        new CommandLine(output, TextWriter.Null).Run(["troubleshoot", .. recorded, "--language", "en"]);
        Assert.Contains($"{lost.Groups["lost"]} of {lost.Groups["all"]} packets with data were lost on the way", Blank().Replace(output.ToString(), " "),
            StringComparison.Ordinal);
    }

    [RootFact("unshare", "ip")]
    public void Speed_SendsBothWaysAndRecordsHereAlone()
    {
        ProgramResult result = Run("--speed");
        Assert.True(result.ExitCode == Network, $"{result.ExitCode}\n{result.Output}\n{result.Error}");
        Assert.Contains("What: the path loses packets.", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("several points", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(Directory.GetFiles(_folder), file => Path.GetFileName(file).StartsWith("far", StringComparison.Ordinal));
    }

    [RootFact("unshare", "ip")]
    public void Peer_Refuses_AndNothingStays()
    {
        ProgramResult result = Run("--peer", "wrong-token");
        Assert.Equal((ExitCode.Failed, "tcpdiag: The peer refuses: The token is wrong."), (result.ExitCode, result.Error.TrimEnd('\n').Split('\n')[^1]));
        Assert.False(Path.Exists(_folder));
    }

    [RootFact("unshare", "ip")]
    public void Peer_GoesAwayHalfWay_IsAnsweredFromWhatThereIs()
    {
        ProgramResult result = Run("--peer", "goes-away");
        Assert.Contains("It failed: the other machine", Blank().Replace(result.Error, " "), StringComparison.Ordinal);
        Assert.InRange(result.ExitCode, 10, 13);
        Assert.Superset(
            new HashSet<string>(StringComparer.Ordinal) { "answer.html", "recording.tcpdiag", "report.html", "ticket.txt" },
            Directory.GetFiles(_folder).Select(path => Path.GetFileName(path)).ToHashSet(StringComparer.Ordinal));
        Assert.DoesNotContain(Directory.GetFiles(_folder), file => Path.GetFileName(file).StartsWith("original", StringComparison.Ordinal));
    }

    ProgramResult Run(params string[] options) => ExternalProgram.TryRun(
        "unshare",
        ["-mn", "sh", ProjectFolder.PathOf("tests", "TcpDiag.Cli.Tests", "troubleshoot-peer.sh"), Path.Join(AppContext.BaseDirectory, "tcpdiag"), _folder,
            .. options],
        Patience.Limit);

    [GeneratedRegex(@"from the other machine to this computer: (?<lost>\d+) of (?<all>\d+) packets", RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000)]
    private static partial Regex Lost();

    [GeneratedRegex(@"\s+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Blank();
}
