namespace TcpDiag.Shim;

/// <summary>A decision as <c>tcpdiag shim log --json</c> prints it.</summary>
/// <param name="Time">When, ISO 8601: the emulated instant; of a packet that leaves, when it did.</param>
/// <param name="Direction"><c>out</c> or <c>in</c>.</param>
/// <param name="IsBehind">Whether it was decided behind the observation point.</param>
/// <param name="Packet">The packet's number in its direction, from 1.</param>
/// <param name="Bytes">The packet's IP length.</param>
/// <param name="Flow">The packet's flow hash, eight hexadecimal digits.</param>
/// <param name="Action">What was done, in the words of docs/formats/decision-log.md.</param>
/// <param name="DelayAskedNs">Delay asked so far, nanoseconds.</param>
/// <param name="DelayErrorNs">Delay given minus asked, nanoseconds; null where the packet did not leave.</param>
public sealed record DecisionLogLine(
    string Time,
    string Direction,
    bool IsBehind,
    long Packet,
    int Bytes,
    string Flow,
    string Action,
    long DelayAskedNs,
    long? DelayErrorNs);
