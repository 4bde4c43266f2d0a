using TcpDiag.Analysis.Results;
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

    [Fact]
    public void OnlyOneDirection_WithoutHandshake_IsUnknown() =>
        Assert.Equal(Vantage.Unknown, Somewhere("30.0 > 1+1000").Vantage);
}
