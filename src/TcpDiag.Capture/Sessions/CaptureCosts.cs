namespace TcpDiag.Capture.Sessions;

/// <summary>What a recording costs.</summary>
/// <param name="DiskBytes">Most disk it takes at any time, bytes; of a plan the trace alone, without what becomes of it.</param>
/// <param name="Processor">What it does to the machine's speed.</param>
/// <param name="Privacy">What of somebody's data will be in the trace.</param>
/// <param name="MemoryBytes">Memory that is never paged out, bytes; null where the system decides.</param>
public sealed record CaptureCosts(long DiskBytes, string Processor, string Privacy, long? MemoryBytes = null);
