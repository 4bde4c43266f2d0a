using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Testing;
using TcpDiag.Traces;
using Xunit;

namespace TcpDiag.Analysis.Tests;

/// <summary>The field stories in small, as real TCP told them: what they were about is what is found (tests/fixtures/README.md).</summary>
public sealed class StoryTests
{
    [Theory]
    [InlineData("s1-fixed-sender", FindingIds.CwndLimitedByReordering)]
    [InlineData("s1-fixed-receiver", FindingIds.CwndLimitedByReordering)]
    [InlineData("s1-not-adapting-sender", FindingIds.CwndLimitedByReordering)]
    [InlineData("s1-not-adapting-receiver", FindingIds.CwndLimitedByReordering)]
    [InlineData("s2-not-adapting-sender", FindingIds.CwndLimitedByReordering)]
    [InlineData("s2-not-adapting-receiver", FindingIds.CwndLimitedByReordering)]
    [InlineData("s3-small-buffer-receiver", FindingIds.SendBufferLimited)]
    [InlineData("s4-half-window-sender", FindingIds.ReceiveWindowLimited)]
    [InlineData("s4-half-window-receiver", FindingIds.ReceiveWindowLimited)]
    public void Story_FirstFinding_IsItsLimit(string trace, string expected) => Assert.Equal(expected, Findings(trace)[0]);

    // The upload kept is a quarter of the story's: its 8 kB batches cost less than the two seconds for the name.
    [Fact]
    public void SlowUpload_NameAndSendBuffer_AreBothFound() => Assert.Equal(
        [FindingIds.NameLookupDelay, FindingIds.SendBufferLimited], Findings("s3-small-buffer-sender").Take(2));

    [Theory]
    [InlineData("s4-half-window-sender")]
    [InlineData("s4-half-window-receiver")]
    public void CutDownload_TimeLimit_IsTheApplications(string trace) => Assert.Contains(FindingIds.ApplicationTimeout, Findings(trace));

    [Fact]
    public void CutDownload_BesideTheOtherKernels_HasHalfTheWindow() => Assert.Contains(
        FindingIds.ReceiveWindowHalved, Findings("s4-whole-window-receiver", "s4-half-window-receiver"));

    static string[] Findings(params string[] traces)
    {
        using TraceReader reader = TraceFile.Open([.. traces.Select(trace => ProjectFolder.PathOf("tests", "fixtures", "stories", trace + ".pcapng"))]);
        return [.. TraceAnalyzer.Analyze(reader).Findings.Select(finding => finding.Id)];
    }
}
