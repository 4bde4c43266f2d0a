using System.Globalization;
using System.Linq;
using System.Text;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Sender.TextTrace;

namespace TcpDiag.Analysis.Tests;

/// <summary>What is not measured says why.</summary>
public sealed class MissingMeasuresTests
{
    static string[] Of(Connection connection) =>
        [.. MissingMeasures.Of(connection, connection.FromClient).Select(missing => $"{missing.Measure}: {missing.Reason}")];

    [Fact]
    public void Of_WholeConnection_IsNothing() => Assert.Empty(Of(AtSender(
        """
        30.0 > 1+1000
        50.0 < 1001
        """)));

    [Fact]
    public void Of_OneDirectionAlone_NamesIt() => Assert.Equal(
        [
            "rtt: only one direction was captured",
            "receiveWindow: only one direction was captured",
            "limits: only one direction was captured",
        ],
        Of(Somewhere(
            """
            30.0 > 1+1000
            50.0 > 1001+1000
            """)));

    [Fact]
    public void Of_WithoutHandshake_NamesWhatItWouldHaveTold() => Assert.Equal(
        [
            "receiveWindow: its scale is in the SYNs, which were not captured",
            "limits: way to the sender unknown (SYN not seen, or resent)",
        ],
        Of(Somewhere(
            """
            30.0 > 1+1000
            50.0 < 1001
            70.0 > 1001+1000
            90.0 < 2001
            """)));

    [Fact]
    public void Of_ResentWithUnknownPlace_LeavesLossOpen() => Assert.Contains(
        "loss: at which end the capture was taken is not known",
        Of(Somewhere(
            """
            30.0 > 1+1000
            330.0 > 1+1000
            """)));

    // A receiver would have acknowledged some of 32 segments within a millisecond: what is sent again had passed the capture before it was lost.
    [Theory]
    [InlineData(32, 20, false)]
    [InlineData(31, 20, true)] // too few to show it
    [InlineData(32, 0, true)] // at the receiver itself
    public void Of_ResentFarFromTheReceiver_TellsLoss(int roundTrips, int milliseconds, bool isOpen)
    {
        var trace = new StringBuilder();
        for (int i = 0; i < roundTrips; i++)
        {
            trace.AppendLine(CultureInfo.InvariantCulture, $"{30 + (50 * i)}.0 > {1 + (1000 * i)}+1000")
                .AppendLine(CultureInfo.InvariantCulture, $"{30 + (50 * i) + milliseconds}.1 < {1001 + (1000 * i)}");
        }

        int end = 30 + (50 * roundTrips);
        trace.AppendLine(CultureInfo.InvariantCulture, $"{end}.0 > {1 + (1000 * roundTrips)}+1000")
            .AppendLine(CultureInfo.InvariantCulture, $"{end + 300}.0 > {1 + (1000 * roundTrips)}+1000")
            .AppendLine(CultureInfo.InvariantCulture, $"{end + 300 + milliseconds}.1 < {1001 + (1000 * roundTrips)}");
        Assert.Equal(isOpen, Of(Somewhere(trace.ToString())).Contains("loss: at which end the capture was taken is not known"));
    }

    [Fact]
    public void Of_AcknowledgedButNeverCaptured_BlamesTheCapture() => Assert.Contains(
        "limits: packets are missing in the capture",
        Of(AtSender(
            """
            30.0 > 1+1000
            50.0 < 20001
            50.1 > 20001+1000
            70.1 < 21001
            """)));
}
