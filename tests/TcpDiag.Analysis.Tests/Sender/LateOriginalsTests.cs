using System.Collections.Generic;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

/// <summary>Which segments sent again acknowledgments without any news answer, by the lateness that they would mean; the round trip is 25 ms.</summary>
public sealed class LateOriginalsTests
{
    const long RoundTrip = 25_000_000;

    RetransmissionList _list;

    static TraceTime At(double milliseconds) => new((long)(milliseconds * 1_000_000));

    static AckWithoutNews Ack(double time, bool mayBeForNew = false) => new(new(At(time), RoundTrip * 7 / 8), RoundTrip, mayBeForNew, IsGrown: false);

    // Data above it was SACKed first at one time, and it was acknowledged at the other.
    void Resent(double hole, double acked, uint start = 0, double sent = 0, RetransmissionMarks marks = RetransmissionMarks.None) =>
        _list.Add(new Retransmission
        {
            Start = new SequenceNumber(start == 0 ? (uint)_list.Count * 1000 : start),
            HoleTime = At(hole),
            Time = At(sent > 0 ? sent : acked - 25),
            AckedTime = At(acked),
            Marks = marks | RetransmissionMarks.IsAcked | RetransmissionMarks.WasSackHole,
        });

    static RetransmissionList WithoutThirdAndFourth(RetransmissionList list)
    {
        var rest = default(RetransmissionList);
        foreach (int i in (int[])[0, 1, 4])
        {
            rest.Add(list[i]);
        }

        return rest;
    }

    void AssertAnswered(List<AckWithoutNews> acks, string answered, int left = 0)
    {
        _ = LateOriginals.Mark(_list, acks, 0);
        string found = string.Empty;
        for (int i = 0; i < _list.Count; i++)
        {
            found += _list[i].Is(RetransmissionMarks.IsAnsweredTwice) ? '+' : '-';
        }

        Assert.Equal(answered, found);
        Assert.Equal(left, acks.Count);
    }

    // 100 is 30 ms behind the first hole and 20 behind the second; 110 is 30 behind the second and 20 behind the third.
    [Fact]
    public void OfTwoExtents_ThatExplainAsMuch_TheLesserIsTaken()
    {
        Resent(hole: 70, acked: 95);
        Resent(hole: 80, acked: 99);
        Resent(hole: 90, acked: 109);
        AssertAnswered([Ack(100), Ack(110)], "-++");
    }

    // 100 is 50.1 ms behind the first; 121 is 50.0 behind the second and 49.3 behind the third.
    [Fact]
    public void OfExtentsThatDifferLittle_TheClosestAreTaken()
    {
        Resent(hole: 49.9, acked: 95);
        Resent(hole: 71.0, acked: 95.1);
        Resent(hole: 71.7, acked: 95.2);
        AssertAnswered([Ack(100), Ack(121)], "++-");
    }

    // Alone, 49.2 ms behind the first and 49.8 behind the second would be taken; but the originals of the others come as late as that of the last, 29.4, which
    // came before its resending.
    [Theory]
    [InlineData(true, "-----", 0)]
    [InlineData(false, "++---", 0)]
    public void Originals_ThrownAwayAsTooOld_CountAsWell(bool isLast, string answered, int left)
    {
        Resent(hole: 50.8, acked: 99);
        Resent(hole: 77.8, acked: 117);
        Resent(hole: 70.6, acked: 115);
        Resent(hole: 98.2, acked: 136);
        Resent(hole: 10, acked: 39.4, marks: isLast ? RetransmissionMarks.IsOutdated : RetransmissionMarks.None);
        if (!isLast)
        {
            _list = WithoutThirdAndFourth(_list);
            Resent(hole: 500, acked: 525);
            Resent(hole: 500, acked: 525);
        }

        AssertAnswered([Ack(100, mayBeForNew: true), Ack(127.6, mayBeForNew: true)], answered, left);
    }

    // The same data twice: its first resending, due at 60 + 25, came 30 ms late, so that the second one was needless. The other segment was as late behind its
    // hole.
    [Fact]
    public void ResentTwice_TheFirstComesLate_TheSecondWasNeedless()
    {
        Resent(hole: 59, acked: 112, start: 1000, sent: 60);
        Resent(hole: 59, acked: 112, start: 1000, sent: 87, marks: RetransmissionMarks.IsRepeated);
        Resent(hole: 84.5, acked: 112, start: 9000);
        AssertAnswered([Ack(114.5), Ack(115)], "-++");
    }
}
