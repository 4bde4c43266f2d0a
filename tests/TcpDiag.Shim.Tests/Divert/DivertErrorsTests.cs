using System.Linq;
using TcpDiag.Shim.Divert;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Errors of the driver in words.</summary>
public class DivertErrorsTests
{
    [Theory]
    [InlineData(2, "WinDivert64.sys is not beside")]
    [InlineData(5, "administrator rights")]
    [InlineData(87, "filter")]
    [InlineData(577, "signature")]
    [InlineData(654, "another version")]
    [InlineData(1058, "disabled")]
    [InlineData(1060, "not installed")]
    [InlineData(1275, "memory integrity")]
    [InlineData(1753, "Base Filtering Engine")]
    public void ToException_KnownCode_SaysWhatItMeansAndWhatHelps(int code, string words)
    {
        ShimException refused = DivertErrors.ToException("open WinDivert", code);

        Assert.Matches($"^open WinDivert: .*{words}.*\\(error {code}\\)\\. [A-Z]", refused.Message);
        Assert.Equal(code, refused.Code);
    }

    [Fact]
    public void Texts_AreAllDifferent() => Assert.Equal(DivertErrors.All.Count, DivertErrors.All.DistinctBy(error => error.Meaning).Count());

    [Fact]
    public void ToException_UnknownCode_HasTheSystemsText() => Assert.Matches("^x: .+ \\(error 31\\)\\. Look at", DivertErrors.ToException("x", 31).Message);
}
