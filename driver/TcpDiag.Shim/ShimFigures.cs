namespace TcpDiag.Shim;

/// <summary>How a run stands.</summary>
/// <param name="ElapsedNs">Nanoseconds since it began.</param>
/// <param name="Offered">Packets the match took in, both directions.</param>
/// <param name="Forwarded">Packets that left, copies included.</param>
/// <param name="Dropped">Packets dropped for any reason.</param>
/// <param name="Reordered">Packets taken out of their order.</param>
/// <param name="Passed">Packets the match left alone.</param>
/// <param name="DelayErrorP50Ns">Half of the packets left at most so many nanoseconds late.</param>
/// <param name="DelayErrorP99Ns">99 % of the packets left at most so many nanoseconds late.</param>
/// <param name="DelayErrorMaxNs">The latest packet, in nanoseconds.</param>
/// <param name="Lost">Packets the system lost in front of the emulator or behind it.</param>
/// <param name="Bypassed">Packets that passed a full queue without being emulated.</param>
/// <param name="RecordsLost">Decisions missing in the log.</param>
public sealed record ShimFigures(
    long ElapsedNs,
    long Offered,
    long Forwarded,
    long Dropped,
    long Reordered,
    long Passed,
    long DelayErrorP50Ns,
    long DelayErrorP99Ns,
    long DelayErrorMaxNs,
    long Lost,
    long Bypassed,
    long RecordsLost);
