namespace TcpDiag.Impairment.Decisions;

/// <summary>What a run lost sight of: counts that no record of the decision log shows.</summary>
/// <param name="Records">Decisions that could not be written.</param>
/// <param name="Packets">Packets the system lost in front of the emulator or behind it.</param>
/// <param name="Bypassed">Packets that passed a full queue without being emulated.</param>
public readonly record struct RunLosses(long Records, long Packets, long Bypassed);
