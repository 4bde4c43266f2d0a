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
}
