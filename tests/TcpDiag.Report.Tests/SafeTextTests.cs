using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class SafeTextTests
{
    [Theory]
    [InlineData("server-1.example.org", "server-1.example.org")]
    [InlineData("größe Ω 漢字", "größe Ω 漢字")]
    [InlineData("\u001b[31mred\u0007", "?[31mred?")] // terminal escape and bell
    [InlineData("a\r\nb\tc", "a??b?c")]
    [InlineData("txt\u202Eexe", "txt?exe")] // turns the reading direction
    [InlineData("a\u200Bb\u2028c", "a?b?c")]
    [InlineData("\u009b31m", "?31m")] // one-character control sequence introducer
    public void OneLine_AnyText_IsPlainlyVisible(string text, string expected) => Assert.Equal(expected, SafeText.OneLine(text));

    [Fact]
    public void OneLine_HalfASurrogatePair_IsReplaced() => Assert.Equal("?x", SafeText.OneLine("\uD800x"));

    [Theory]
    [InlineData("abcdef", 6, "abcdef")]
    [InlineData("abcdefg", 6, "abcde…")]
    [InlineData("abcdefg", 1, "…")]
    public void OneLine_TooLong_EndsInAnEllipsis(string text, int maximum, string expected) => Assert.Equal(expected, SafeText.OneLine(text, maximum));
}
