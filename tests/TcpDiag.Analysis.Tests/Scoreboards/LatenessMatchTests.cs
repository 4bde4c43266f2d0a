using System.Collections.Generic;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Scoreboards;

/// <summary>Which segments sent again acknowledgments without any news answer, by the lateness that they would mean; the round trip is 25 ms.</summary>
public sealed class LatenessMatchTests
{
    const long RoundTrip = 25_000_000;

    RangeList<Resend> _resends;

    static TraceTime At(double milliseconds) => new((long)(milliseconds * 1_000_000));

    static Repeat Repeat(double time, bool mayBeNew = false) => new(At(time), RoundTrip * 7 / 8, RoundTrip, mayBeNew, IsGrown: false);

    // Data above it was SACKed first at one time, and it was acknowledged at the other.
    void Resent(double hole, double acked, uint start = 0, double sent = 0, ResendMarks marks = ResendMarks.None) => _resends.Insert(_resends.Count, new Resend
    {
        Start = new SequenceNumber(start == 0 ? (uint)_resends.Count * 1000 : start),
        HoleTime = At(hole),
        Time = At(sent > 0 ? sent : acked - 25),
        AckedTime = At(acked),
        Marks = marks | ResendMarks.IsAcked | ResendMarks.WasSackHole,
    });

    void AssertAnswered(List<Repeat> repeats, string answered, int left = 0)
    {
        _ = LatenessMatch.Mark(_resends, repeats, 0);
        string found = string.Empty;
        for (int i = 0; i < _resends.Count; i++)
        {
            found += _resends[i].Is(ResendMarks.IsRepeatAnswered) ? '+' : '-';
        }

        Assert.Equal(answered, found);
        Assert.Equal(left, repeats.Count);
    }

    // 100 is 30 ms behind the first hole and 20 behind the second; 110 is 30 behind the second and 20 behind the third.
    [Fact]
    public void OfTwoLatenesses_ThatExplainAsMuch_TheLesserIsTaken()
    {
        Resent(hole: 70, acked: 95);
        Resent(hole: 80, acked: 99);
        Resent(hole: 90, acked: 109);
        AssertAnswered([Repeat(100), Repeat(110)], "-++");
    }

    // 100 is 50.1 ms behind the first; 121 is 50.0 behind the second and 49.3 behind the third.
    [Fact]
    public void OfLatenessesThatDifferLittle_TheClosestAreTaken()
    {
        Resent(hole: 49.9, acked: 95);
        Resent(hole: 71.0, acked: 95.1);
        Resent(hole: 71.7, acked: 95.2);
        AssertAnswered([Repeat(100), Repeat(121)], "++-");
    }

    // Alone, 49.2 ms behind the first and 49.8 behind the second would be taken; but the originals of the others come as late as that of the last, 29.4, which came before its resending.
    [Theory]
    [InlineData(true, "-----", 0)]
    [InlineData(false, "++---", 0)]
    public void Originals_ThrownAwayAsTooOld_CountAsWell(bool isLast, string answered, int left)
    {
        Resent(hole: 50.8, acked: 99);
        Resent(hole: 77.8, acked: 117);
        Resent(hole: 70.6, acked: 115);
        Resent(hole: 98.2, acked: 136);
        Resent(hole: 10, acked: 39.4, marks: isLast ? ResendMarks.IsOutdated : ResendMarks.None);
        if (!isLast)
        {
            _resends.Remove(2, 2);
            Resent(hole: 500, acked: 525);
            Resent(hole: 500, acked: 525);
        }

        AssertAnswered([Repeat(100, mayBeNew: true), Repeat(127.6, mayBeNew: true)], answered, left);
    }

    // The same data twice: its first resending, due at 60 + 25, came 30 ms late, so that the second one was needless. The other segment was as late behind its hole.
    [Fact]
    public void ResentTwice_TheFirstComesLate_TheSecondWasNeedless()
    {
        Resent(hole: 59, acked: 112, start: 1000, sent: 60);
        Resent(hole: 59, acked: 112, start: 1000, sent: 87, marks: ResendMarks.IsRepeated);
        Resent(hole: 84.5, acked: 112, start: 9000);
        AssertAnswered([Repeat(114.5), Repeat(115)], "-++");
    }
}
