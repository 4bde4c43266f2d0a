using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>One thing the emulator did with one packet. Only <see cref="ImpairmentAction.Forward"/> and its copy carry an error.</summary>
/// <param name="Time">When: the emulated instant; for a packet that leaves, the caller's clock.</param>
/// <param name="PacketId">The packet's number in its direction, from 1.</param>
/// <param name="FlowHash">The packet's flow hash.</param>
/// <param name="LengthBytes">The packet's length; the log keeps at most 65535.</param>
/// <param name="Direction">The packet's direction.</param>
/// <param name="Segment">The segment of the path that decided: 0 before, 1 behind the observation point.</param>
/// <param name="Action">What was done.</param>
/// <param name="DelayAskedNs">Nanoseconds from the packet's arrival to when it is due, as far as decided by then.</param>
/// <param name="DelayErrorNs">Delay given minus delay asked in nanoseconds; 0 where the packet did not leave.</param>
public readonly record struct ImpairmentDecision(
    TraceTime Time,
    long PacketId,
    uint FlowHash,
    int LengthBytes,
    LinkDirection Direction,
    int Segment,
    ImpairmentAction Action,
    long DelayAskedNs,
    long DelayErrorNs);
