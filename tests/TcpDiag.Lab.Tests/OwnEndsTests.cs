using TcpDiag.Lab.Peers;
using Xunit;

namespace TcpDiag.Lab.Tests;

public class OwnEndsTests
{
    [Theory]
    [InlineData("127.0.0.1+127.0.0.2")]
    [InlineData("192.0.2.1+192.0.2.2")]
    [InlineData("fd00::1+fd00::2")]
    public void Read_TwoAddresses_AreThem(string text) => Assert.Equal(text, OwnEnds.Read(text).ToString());

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.1+127.0.0.1")]
    [InlineData("127.0.0.1+fd00::2")]
    [InlineData("127.0.0.1+127.0.0.2+127.0.0.3")]
    [InlineData("eth0+eth1")]
    [InlineData("")]
    public void Read_AnythingElse_IsRefused(string text) =>
        Assert.Equal($"--ends: expected two different addresses of this machine such as 127.0.0.1+127.0.0.2, found '{text}'.", Assert.Throws<LabException>(() => OwnEnds.Read(text)).Message);
}
