using Xunit;

namespace TcpDiag.Redaction.Tests;

/// <summary>Codes that people read to each other.</summary>
public sealed class RedactionCodeTests
{
    [Theory]
    [InlineData("K7QMD-2XWPA-94RTH-CJ6VN")]
    [InlineData("k7qmd2xwpa94rthcj6vn")]
    [InlineData("K7QMD 2XWPA 94RTH CJ6VN")]
    public void TryParse_HoweverWritten_IsTheSameCode(string text) => Assert.Equal("K7QMD-2XWPA-94RTH-CJ6VN", RedactionCode.TryParse(text)?.Text);

    [Theory]
    [InlineData("")]
    [InlineData("K7QMD-2XWPA-94RTH-CJ6V")]
    [InlineData("K7QMD-2XWPA-94RTH-CJ6VNN")]
    [InlineData("K7QMD-2XWPA-94RTH-CJ6V0")] // no zero: it looks like the O, which is none either
    public void TryParse_AnythingElse_IsNone(string text) => Assert.Null(RedactionCode.TryParse(text));

    // The same pseudonym under the same code, another under another.
    [Fact]
    public void Key_IsThatOfTheCode()
    {
        RedactionCode code = RedactionCode.Random();
        Assert.Equal(PseudonymUnder(code), PseudonymUnder(RedactionCode.TryParse(code.Text)!));
        Assert.NotEqual(PseudonymUnder(code), PseudonymUnder(RedactionCode.Random()));
    }

    static string PseudonymUnder(RedactionCode code)
    {
        byte[] bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        new KeyedHash(code.Key, "test").Replace(bytes);
        return System.Convert.ToHexString(bytes);
    }
}
