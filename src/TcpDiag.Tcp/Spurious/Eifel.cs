namespace TcpDiag.Tcp.Spurious;

/// <summary>The Eifel detection (RFC 3522): the first acknowledgment after a retransmission tells by its timestamp which sending it answers.</summary>
public static class Eifel
{
    /// <summary>Whether an acknowledgment proves a retransmission needless: it echoes a timestamp older than the retransmission's.</summary>
    /// <param name="echoedTsval">TSecr of the first acknowledgment that covers the retransmission.</param>
    /// <param name="retransmitTsval">RetransmitTS: TSval of the first retransmission of the episode.</param>
    /// <returns>True when the original arrived. Of equal timestamps nothing follows: the clock may not have ticked.</returns>
    public static bool IsSpurious(uint echoedTsval, uint retransmitTsval) => unchecked((int)(echoedTsval - retransmitTsval)) < 0;
}
