using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What a server takes for its answers, and what sending them takes.</summary>
public sealed class SlowAnswersTests
{
    // Answers in a 10 s connection over 40 ms: 400 of 9 ms may each have spent that on a slow link, unless they were captured at the server; 300 of 11 ms
    // did not.
    [Theory]
    [InlineData(400, 9, Vantage.Client, FindingSeverity.Note)]
    [InlineData(400, 9, Vantage.Server, FindingSeverity.Warning)]
    [InlineData(300, 11, Vantage.Client, FindingSeverity.Warning)]
    public void Answers_ThatComeSoon_MayBeTheLinks(int count, int milliseconds, Vantage vantage, FindingSeverity expected)
    {
        long time = count * milliseconds * Millisecond;
        Connection connection = Of(up => up, down => down with { Answers = new AnswerSummary(time, time, count, default) }) with { Vantage = vantage };
        Finding finding = Single(connection, FindingIds.SlowAnswers);
        Assert.Equal(expected, finding.Severity);
        Assert.Equal(time / 1e9, finding.SecondsLost);
    }
}
