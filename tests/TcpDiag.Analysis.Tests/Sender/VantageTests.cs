using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Sender.TextTrace;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Where a capture was taken: from the handshake, from data both ways, from timestamps, or told.</summary>
public sealed class VantageTests
{
    const string Data = "30.0 > 1+1000";

    [Fact]
    public void Handshake_TellsWhereTheRoundTripIsSpent()
    {
        Assert.Equal(Vantage.Client, AtSender(Data).Vantage);
        Assert.Equal(Vantage.Server, AtReceiver(Data).Vantage);
        Assert.Equal(Vantage.Middle, InTheMiddle(Data).Vantage);
    }

    // Microseconds from SYN to SYN-ACK, and to the ACK. At an end a tenth of the round trip passes at most, and below 200 µs nothing can be told.
    [Theory]
    [InlineData(18_000, 20_000, Vantage.Client)]
    [InlineData(17_999, 20_000, Vantage.Middle)]
    [InlineData(2_000, 20_000, Vantage.Server)]
    [InlineData(2_001, 20_000, Vantage.Middle)]
    [InlineData(190, 200, Vantage.Client)]
    [InlineData(190, 199, Vantage.Unknown)]
    public void Handshake_AtTheBounds_TellsTheEndOrTheMiddle(long synAck, long ack, Vantage expected) => Assert.Equal(
        expected,
        new MemoryTrace()
            .Packet(0, Segments.FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0))
            .Packet(synAck, Segments.FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack))
            .Packet(ack, Segments.FromClient(1, 1))
            .Analyze().Connections.Single().Vantage);

    [Fact]
    public void OnlyOneDirection_WithoutHandshake_IsUnknown() =>
        Assert.Equal(Vantage.Unknown, Somewhere("30.0 > 1+1000").Vantage);
}
