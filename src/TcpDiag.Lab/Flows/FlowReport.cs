namespace TcpDiag.Lab.Flows;

/// <summary>What a program of the flow counted.</summary>
/// <param name="Outcome">How it ended.</param>
/// <param name="Bytes">Bytes the socket took, or gave.</param>
/// <param name="Calls">Writes or reads.</param>
/// <param name="BlockedNs">How long it was inside of them altogether, nanoseconds.</param>
/// <param name="FirstNs">When the first of them began, nanoseconds since the Unix epoch; null without any.</param>
/// <param name="LastNs">When the last of them that moved bytes ended; null without any.</param>
/// <param name="SendBufferBytes">SO_SNDBUF as the kernel has it: twice what was asked for.</param>
/// <param name="ReceiveBufferBytes">SO_RCVBUF as the kernel has it.</param>
/// <param name="Kernel">The kernel's own account at the end.</param>
public sealed record FlowReport(
    FlowOutcome Outcome,
    long Bytes,
    long Calls,
    long BlockedNs,
    long? FirstNs,
    long? LastNs,
    int SendBufferBytes,
    int ReceiveBufferBytes,
    KernelCounters Kernel);
