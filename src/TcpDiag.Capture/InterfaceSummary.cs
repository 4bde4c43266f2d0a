namespace TcpDiag.Capture;

/// <summary>What was recorded at one interface.</summary>
/// <param name="Name">Its name, with its network namespace where that is not the recorder's.</param>
/// <param name="Packets">Packets written.</param>
/// <param name="Dropped">Packets lost between kernel and recorder. Recording at all interfaces, the kernel counts them together: they stand with the first.</param>
public sealed record InterfaceSummary(string Name, long Packets, long Dropped);
