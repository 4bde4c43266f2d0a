using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Watches whether data has to be sent again that was under way, behind a hole, while the receiver's SACKs reported nothing new: it came, and was thrown away.
/// </summary>
struct ReassemblyWatch
{
    SequenceNumber _from; // behind the highest SACK while nothing new was reported
    SequenceNumber _to; // SND.MAX then
    TracePosition _first;
    TracePosition _last;
    int _resent; // wire segments
    int _run;
    bool _isSuspected;

    /// <summary>Whether the latest acknowledgments brought nothing new: they are counted.</summary>
    public readonly bool IsCounting => _run > 0;

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="sent">The end acknowledged, after it.</param>
    /// <param name="segment">The acknowledgment.</param>
    public void OnAcknowledgment(in SendState sent, in Segment segment)
    {
        bool isStale = segment.Ack is { IsSackWithoutNews: true, IsDsack: false, IsDuplicate: true };
        _run = isStale ? _run + 1 : 0;
        if (_run >= Thresholds.MinStaleSacks)
        {
            _from = HighestOf(segment.Ack.Sack);
            _to = sent.Space.SndMax;
            _isSuspected = _to > _from;
        }
    }

    /// <summary>Takes in a retransmission.</summary>
    public void OnResent(in Segment segment)
    {
        if (_isSuspected && segment.Start >= _from && segment.Start < _to)
        {
            var position = new TracePosition(segment.PacketNumber, segment.Time);
            _first = _resent == 0 ? position : _first;
            _last = position;
            _resent += segment.Sent.Retransmitted;
        }
    }

    /// <summary>What was found.</summary>
    /// <returns>Null when none of it was sent again.</returns>
    public readonly DroppedData? Summarise() => _resent > 0 ? new(_resent, _first, _last) : null;

    static SequenceNumber HighestOf(in SackBlocks blocks)
    {
        SequenceNumber highest = blocks[0].Right;
        for (int i = 1; i < blocks.Count; i++)
        {
            highest = blocks[i].Right > highest ? blocks[i].Right : highest;
        }

        return highest;
    }
}
