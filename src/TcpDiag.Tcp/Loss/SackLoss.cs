namespace TcpDiag.Tcp.Loss;

/// <summary>The rules of SACK-based recovery that RACK replaces (RFC 6675 §4, §5), on counts that any scoreboard can give.</summary>
public static class SackLoss
{
    /// <summary>IsLost (RFC 6675 §4): DupThresh discontiguous SACKed ranges above, or more than (DupThresh − 1)·SMSS bytes SACKed above.</summary>
    /// <param name="sackedRangesAbove">Discontiguous SACKed ranges above the sequence number in question.</param>
    /// <param name="sackedBytesAbove">Bytes SACKed above it.</param>
    /// <param name="smss">SMSS in bytes.</param>
    /// <returns>True when the byte counts as lost.</returns>
    public static bool IsLost(int sackedRangesAbove, long sackedBytesAbove, int smss) =>
        sackedRangesAbove >= ReorderingWindow.DupThresh || sackedBytesAbove > (ReorderingWindow.DupThresh - 1L) * smss;

    /// <summary>
    /// What an octet that is neither acknowledged nor SACKed adds to pipe (SetPipe, RFC 6675 §4): itself unless lost, and its retransmission.
    /// </summary>
    /// <param name="isLost">Whether it counts as lost.</param>
    /// <param name="isRetransmitted">Whether it was retransmitted in this recovery (it lies at or below HighRxt).</param>
    /// <returns>0, 1 or 2.</returns>
    public static int PipePerOctet(bool isLost, bool isRetransmitted) => (isLost ? 0 : 1) + (isRetransmitted ? 1 : 0);
}
