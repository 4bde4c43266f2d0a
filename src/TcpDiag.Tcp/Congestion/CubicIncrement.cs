namespace TcpDiag.Tcp.Congestion;

/// <summary>How often CUBIC's increment of RFC 9438 §4.4 is applied; honest stacks differ.</summary>
public enum CubicIncrement
{
    /// <summary>Once per acknowledgment, as the RFC words it.</summary>
    PerAck,

    /// <summary>Once per segment acknowledged, as reported erratum 9186 asks: independent of delayed acknowledgments.</summary>
    PerSegment,
}
