using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using Xunit;

namespace TcpDiag.Scores.Tests.Cards;

/// <summary>What is documented of builds, and in what two of them differ.</summary>
public sealed class BuildTraitsTests
{
    // From line to line, as Microsoft and others have told it.
    [Theory]
    [InlineData(10586, 14393, "loss detection: duplicate ACKs > RACK, fixed window (assumed)|tail losses: left to the timeout > probed (TLP)|initial window: "
        + "4 segments > 10 segments")]
    [InlineData(14393, 15063, "congestion control: Reno > CUBIC")]
    [InlineData(15063, 17763, "slow start ends: with a loss > HyStart, limited slow start")]
    [InlineData(17763, 18362, "in recovery: cwnd at once down to ssthresh > PRR")]
    [InlineData(18362, 19041, "lost retransmissions: left to the timeout > found")]
    [InlineData(19041, 22000, "loss detection: RACK, fixed window > RACK, blind to DSACKs|slow start ends: HyStart, limited slow start > HyStart++")]
    [InlineData(22000, 22621, "loss detection: RACK, blind to DSACKs > RACK, window adapts")]
    [InlineData(22621, 28000, "")]
    public void Between_Lines_IsWhatIsDocumented(int from, int to, string expected)
    {
        IEnumerable<string> changes = BuildTraits.Between(from, to).Select(
            change => $"{change.Name}: {change.From.Value} > {change.To.Value}{(change.To.IsAssumed && !change.From.IsAssumed ? " (assumed)" : string.Empty)}");
        Assert.Equal(expected.Split('|', StringSplitOptions.RemoveEmptyEntries), changes);
    }

    [Fact]
    public void Between_IsNothingWhereOneIsNotKnown()
    {
        Assert.Empty(BuildTraits.Of(7601));
        Assert.Empty(BuildTraits.Between(7601, 22000));
    }

    [Theory]
    [InlineData(22621, Fingerprint.RackAdaptive, true)]
    [InlineData(22621, Fingerprint.RackFixed, false)]
    [InlineData(22000, Fingerprint.RackFixed, true)] // on the wire the same as one that is blind to DSACKs
    [InlineData(22000, Fingerprint.DuplicateAcks, false)]
    [InlineData(22621, Fingerprint.Rack, null)]
    [InlineData(10586, Fingerprint.Rack, false)]
    [InlineData(22621, Fingerprint.Unknown, null)]
    [InlineData(22621, Fingerprint.NoSack, null)]
    public void Verdict_OfPackets_AgreesOrNot(int build, string observed, bool? agrees) =>
        Assert.Equal(agrees, BuildExpectation.Find(build)!.Agrees(observed, isFromEvents: false));
}
