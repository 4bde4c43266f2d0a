using TcpDiag.Impairment;
using TcpDiag.Lab.Matrix;
using Xunit;

namespace TcpDiag.Lab.Tests;

public sealed class FlowSettingsTests
{
    [Fact]
    public void Read_Scaled_ShortensBytesAndClosingOnly()
    {
        FlowSettings flow = FlowSettings.Read(
            "flow:",
            [new("bytes", "10mb"), new("close-after", "30s"), new("read-rate", "8mbit"), new("receive-buffer", "65536b"), new("limit", "60s"), new("congestion", "reno"), new("write-size", "8kib")],
            scale: 0.1);

        Assert.Equal(
            new FlowSettings
            {
                Bytes = 1_000_000,
                CloseAfterNs = 3_000_000_000,
                ReadBitsPerSecond = 8_000_000,
                ReceiveBufferBytes = 65_536,
                LimitNs = 60_000_000_000,
                Congestion = "reno",
                WriteBytes = 8192,
            },
            flow);
    }

    [Fact]
    public void Read_GivenTwice_TakesTheLater() =>
        Assert.Equal(2_000, FlowSettings.Read("flow:", [new("bytes", "1kb"), new("bytes", "2kb")], 1).Bytes);

    [Theory]
    [InlineData("congestion", "a-name-that-is-too-long", "expected a congestion control such as cubic or reno, found 'a-name-that-is-too-long'.")]
    [InlineData("read-rate", "fast", "expected a rate such as 100mbit")]
    [InlineData("write-size", "0b", "expected a write of 1b to 16mib, found '0b'.")]
    [InlineData("client", "both", "expected sender or receiver, found 'both'.")]
    [InlineData("bytes", "1mb:2", "expected nothing more, found '2' in '1mb:2'.")]
    public void Read_WrongValue_SaysWhatIsExpected(string name, string value, string message) =>
        Assert.Contains(message, Assert.Throws<ImpairmentException>(() => FlowSettings.Read("flow:", [new(name, value)], 1)).Message, System.StringComparison.Ordinal);
}
