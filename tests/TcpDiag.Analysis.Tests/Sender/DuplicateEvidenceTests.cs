using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Sender;

public sealed class DuplicateEvidenceTests
{
    // As many as are remembered leave what an answer has proven; one more was answered by nothing that is known, and none proves anything.
    [Theory]
    [InlineData(64, RetransmissionNeed.LikelySpurious)]
    [InlineData(65, RetransmissionNeed.Necessary)]
    public void NeedOf_AnsweredTwiceAmongManySuchAnswers_IsKnownWhileAllAreRemembered(int acks, RetransmissionNeed expected)
    {
        var evidence = default(DuplicateEvidence);
        for (int i = 0; i < acks; i++)
        {
            evidence.OnAckWithoutNews(default, default, echo: 0, new AckInstant(new TraceTime(i), MinRttNanos: 1), roundTripNanos: 1, isGrown: false);
        }

        Assert.Equal(expected, evidence.NeedOf(new Retransmission { Marks = RetransmissionMarks.IsAcked | RetransmissionMarks.IsAnsweredTwice }));
    }

    // RFC 3708 §3: copies that the path makes leave DSACKs that prove nothing. What was sent before the capture began may have been sent again by then; data
    // that was captured was sent once only.
    [Theory]
    [InlineData("50.1 < 5001 sack=3001-4001", 1)]
    [InlineData("50.1 < 5001 sack=4001-5001", 1)]
    [InlineData("50.1 < 6001 sack=5001-6001", 0)]
    public void Dsack_InACaptureThatBeganLate_ProvesNothingOnlyOfWhatWasSentOnce(string dsack, long spurious)
    {
        NeedCounts? needs = TextTrace.Somewhere("""
            30.0 > 5001+1000
            30.1 > 6001+1000
            30.2 > 7001+1000
            30.3 > 8001+1000
            50.0 < 5001

            """ + dsack + """

            50.2 < 6001 sack=7001-8001
            50.3 < 6001 sack=7001-9001
            50.4 > 6001+1000
            52.0 < 9001
            70.6 < 9001 sack=6001-7001
            """).FromClient.Needs;
        Assert.Equal(spurious, needs?.Spurious);
    }

    // What was lost before the capture began, seen at the receiver: it asks for it, so that resending it was no waste, whatever had been sent since.
    [Fact]
    public void Resent_FromBeforeTheCaptureAndAskedFor_IsNotNeedless()
    {
        NeedCounts? needs = TextTrace.Somewhere("""
            30.0 > 5001+1000
            30.1 < 1001 sack=5001-6001
            30.2 > 6001+1000
            30.3 < 1001 sack=5001-7001
            50.0 > 1001+1000
            50.1 < 2001 sack=5001-7001
            """).FromClient.Needs;
        Assert.Equal(0, needs?.Spurious);
    }
}
