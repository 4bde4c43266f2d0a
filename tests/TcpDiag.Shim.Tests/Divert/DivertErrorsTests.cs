using System.Linq;
using TcpDiag.Shim.Divert;
using TcpDiag.Shim.Doctor;
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

public sealed class DriverPathTests
{
    [Theory]
    [InlineData(@"\??\C:\Program Files\x\WinDivert64.sys", @"C:\Program Files\x\WinDivert64.sys")]
    [InlineData(@"\SystemRoot\System32\drivers\ndivert.sys", @"C:\Windows\System32\drivers\ndivert.sys")]
    [InlineData(@"\systemroot\System32\drivers\ndivert.sys", @"C:\Windows\System32\drivers\ndivert.sys")]
    [InlineData(@"system32\drivers\ndivert.sys", @"C:\Windows\system32\drivers\ndivert.sys")]
    [InlineData(@"C:\x\divert.sys", @"C:\x\divert.sys")]
    [InlineData(@"\\server\share\divert.sys", @"\\server\share\divert.sys")]
    [InlineData(@"""C:\x y\divert.exe"" -service", @"""C:\x y\divert.exe"" -service")]
    [InlineData("", "")]
    public void ToWin32_PathOfTheKernel_IsOneThatOpens(string imagePath, string expected) =>
        Assert.Equal(expected, DriverPath.ToWin32(imagePath, @"C:\Windows"));
}
