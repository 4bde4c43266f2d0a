using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// SND.UNA as events of acknowledgments tell it (1330 of Windows: SeqNo and BytesAcked). Whether the number is that before the bytes were acknowledged or
/// behind them no source says: of two events in a row, the bytes of one of them lie between their numbers. As long as both have as many, it is taken to be
/// behind them.
/// </summary>
struct AcknowledgedNumber
{
    SequenceNumber _number;
    int _bytes; // of the event before; 0 before the first
    bool _isBefore;

    /// <summary>Takes in an event.</summary>
    /// <param name="number">Its sequence number.</param>
    /// <param name="bytes">How much it acknowledged, more than nothing.</param>
    /// <returns>SND.UNA behind it; null where the two events do not follow each other.</returns>
    public SequenceNumber? Take(SequenceNumber number, int bytes)
    {
        int step = number - _number;
        bool isBehind = _bytes > 0 && step == bytes;
        bool isBefore = _bytes > 0 && step == _bytes;
        _isBefore = isBefore && (!isBehind || _isBefore);
        (_number, _bytes) = (number, bytes);
        return isBefore || isBehind ? (_isBefore ? number + bytes : number) : null;
    }
}
