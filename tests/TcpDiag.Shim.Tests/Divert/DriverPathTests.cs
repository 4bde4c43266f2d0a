using TcpDiag.Shim.Doctor;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

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
    public void ToWin32_PathOfTheKernel_IsOneThatOpens(string imagePath, string expected) => Assert.Equal(expected, DriverPath.ToWin32(imagePath, @"C:\Windows"));
}
