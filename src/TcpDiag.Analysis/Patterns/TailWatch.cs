using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Watches the ends of bursts that are lost: no later data could show it, so that a probe is sent about two round trips after the last news (RFC 8985 §7.2).
/// What is sent again of the same burst behind the probe belongs to it.
/// </summary>
struct TailWatch
{
    SequenceNumber _end; // behind the latest burst whose end was probed
    long _nanos;
    long _segments; // wire segments
    int _count;

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    public void OnResent(in SendState sent, in Segment segment)
    {
        bool isInside = _count > 0 && segment.Start < _end;
        bool hasNews = sent.Counts.UniqueBytes > 0 && sent.Times.LastNews >= sent.Times.FirstData;
        if (!isInside && hasNews && segment.Sent.Trigger == RetransmissionTrigger.Tlp)
        {
            _end = sent.Space.SndMax;
            _nanos += segment.Time - sent.Times.LastNews;
            _count++;
            isInside = true;
        }

        _segments += isInside ? segment.Sent.Retransmitted : 0;
    }

    /// <summary>What was found.</summary>
    /// <returns>Null without a probe.</returns>
    public readonly TailSummary? Summarise() => _count > 0 ? new(_count, _segments, _nanos) : null;
}
