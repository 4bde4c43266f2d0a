using System;
using System.IO;
using System.Linq;
using System.Reflection;
using TcpDiag.Analysis.Findings;
using TcpDiag.Cli.Explain;
using Xunit;

namespace TcpDiag.Cli.Tests;

public class ExplainCommandTests
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    public static TheoryData<string> FindingNames =>
        [.. typeof(FindingIds).GetFields(BindingFlags.Public | BindingFlags.Static).Select(name => (string)name.GetRawConstantValue()!)];

    public static TheoryData<string> AllNames => [.. Topics.All.SelectMany(topic => topic.Names).Distinct(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(FindingNames))]
    public void Explain_EveryFinding_PrintsItsPage(string id)
    {
        Assert.Equal(ExitCode.Done, Run("explain", id));
        Assert.StartsWith($"{id}\n", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\n\nWhat to do\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(AllNames))]
    public void Explain_EveryName_FitsAndIsPlain(string name)
    {
        Assert.Equal(ExitCode.Done, Run("explain", name));
        AssertPlain(_output.ToString(), 80);
    }

    [Fact]
    public void Explain_Nothing_ListsAll()
    {
        Assert.Equal(ExitCode.Done, Run("explain"));
        string list = _output.ToString();
        AssertPlain(list, 80);
        Assert.Contains("\n  path-loss                   the path loses packets\n", list, StringComparison.Ordinal);
        Assert.All(Topics.All.SelectMany(topic => topic.Names), name => Assert.Contains(name, list, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(40)]
    [InlineData(57)]
    [InlineData(200)]
    public void Explanation_AnyWidth_Fits(int columns) => Assert.All(Topics.All, topic =>
        AssertPlain(string.Join('\n', Explanation.Of(topic, columns).Select(line => line.Text)), columns));

    [Theory]
    [InlineData("receive", "window")]
    [InlineData("Receive-Window")]
    [InlineData("receive window")]
    public void Explain_Term_IsFoundHoweverItIsWritten(params string[] words)
    {
        Assert.Equal(ExitCode.Done, Run(["explain", .. words]));
        Assert.Equal(
            "receive window\n  what the receiver allows beyond the acknowledged byte\n  From: RFC 9293 §3.8.6; scale: RFC 7323 §2\n", _output.ToString());
    }

    [Fact]
    public void Explain_NameOfTermAndFinding_PrintsBoth()
    {
        Assert.Equal(ExitCode.Done, Run("explain", "slow", "start"));
        Assert.Contains("When to doubt it", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("\nslow start, congestion avoidance\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("path-los", "Did you mean path-loss?")]
    [InlineData("retransmision", "Did you mean retransmission?")]
    [InlineData("rtt", "Did you mean SRTT? With this in their name: RTT sample, RTTVAR, handshake RTT.")]
    [InlineData("halved", "With this in their name: receive-window-halved.")]
    [InlineData("quux", "No finding and no word is called 'quux'. `tcpdiag explain` lists them.")]
    public void Explain_WrongName_IsWrongUsageWithWhatWasMeant(string name, string expected)
    {
        Assert.Equal(ExitCode.Usage, Run("explain", name));
        Assert.Contains(expected, _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public void Markdown_CommandInAText_StaysOnOneLine() => Assert.Equal(
        ["aaa", "ip link set", "bbb"],
        PlainMarkdown.Wrap("aaa `ip link set` bbb", 12));

    [Fact]
    public void Markdown_Page_BecomesPlain() => Assert.Equal(
        ["Head", "One two three", "four.", "- item a_b|c", "  goes on", "  - deeper"],
        PlainMarkdown.Render("# Head\n\nOne *two* [three](x.md)\n**four**.\n\n- item `a_b\\|c` goes\n  on\n  - deeper\n", 14).Select(line => line.Text));

    [Fact]
    public void Completion_OffersFindings()
    {
        Run("[suggest:23]", "tcpdiag explain path-re");
        Assert.Contains("path-reordering", _output.ToString(), StringComparison.Ordinal);
    }

    static void AssertPlain(string text, int columns)
    {
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, columns));
        Assert.All(["](", "`", "**", "\n#", "\\|", "\n|", "\u00a0"], residue => Assert.DoesNotContain(residue, text, StringComparison.Ordinal));
        Assert.False(text.StartsWith('#'));
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
