using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Sender.TextTrace;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>
/// The bounds between a probe, a timeout and recovery. The handshake took 20.1 ms; without samples of data that is SRTT, and RTTVAR is 0.
/// </summary>
public sealed class RetransmissionTriggerTests
{
    // The first of four did not arrive; the others are SACKed, the last at 50.4 ms.
    const string Hole = """
        30.0 > 1+1000
        30.1 > 1001+1000
        30.2 > 2001+1000
        30.3 > 3001+1000
        50.2 < 1 sack=1001-2001
        50.3 < 1 sack=1001-3001
        50.4 < 1 sack=1001-4001

        """;

    static TriggerCounts? Triggers(string text) => AtSender(text).FromClient.Triggers;

    // RFC 8985 §7.2: PTO = 2 · SRTT. A quarter of SRTT is left for an estimate of the sender's below ours: 1.75 · 20.1 = 35.175 ms after the news at 50 ms.
    [Theory]
    [InlineData(85.174, 0)]
    [InlineData(85.175, 1)]
    public void LastSegment_ResentBeforeTheProbeTimeout_IsNoProbe(double time, long probes) => Assert.Equal(
        new TriggerCounts(0, Tlp: probes, 0, 0, Unknown: 1 - probes),
        Triggers($"""
            30.0 > 1+1000
            30.1 > 1001+1000
            50.0 < 1001
            {time} > 1001+1000
            """));

    // Where losses show, a reordering timer may resend as well, up to 10 ms late: RTO = SRTT + 4 · RTTVAR = 20.1 ms, so 30.1 ms after the last SACK.
    [Theory]
    [InlineData(80.499, 0)]
    [InlineData(80.500, 1)]
    public void FirstSegment_ResentInTheSlackOfTheTimer_IsFast(double time, long timeouts) => Assert.Equal(
        new TriggerCounts(Fast: 1 - timeouts, 0, Rto: timeouts, 0, 0),
        Triggers(Hole + $"{time} > 1+1000"));

    // A sender that is told of other data all the time resends at its timer too: 200 ms, the lowest common minimum, after it has sent the segment before; but
    // not in answer to the news itself.
    [Theory]
    [InlineData(245.0, 250.499, 0)]
    [InlineData(245.0, 250.500, 1)]
    [InlineData(250.5, 250.500, 0)]
    public void FirstSegment_ResentAgainWhileNewsArrives_IsATimeoutAfterItsMinimum(double news, double time, long timeouts) => Assert.Equal(
        new TriggerCounts(Fast: 1, 0, Rto: timeouts, LostRetransmission: 1 - timeouts, 0),
        Triggers(Hole + $"""
            50.5 > 1+1000
            230.0 > 4001+1000
            {news} < 1 sack=1001-5001
            {time} > 1+1000
            """));

    // RFC 6675 §2: with SACK, a duplicate acknowledgment is one with news in its blocks. Those without answer something else, e.g. copies.
    [Fact]
    public void FirstSegment_ResentAfterDuplicatesWithoutBlocks_IsUnknown() => Assert.Equal(
        new TriggerCounts(0, 0, 0, 0, Unknown: 1),
        Triggers("""
            30.0 > 1+1000
            30.1 > 1001+1000
            49.1 < 1
            49.2 < 1
            49.3 < 1
            49.4 > 1+1000
            """));
}
