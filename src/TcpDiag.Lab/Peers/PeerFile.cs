namespace TcpDiag.Lab.Peers;

/// <summary>A file that follows the last line of a control connection.</summary>
/// <param name="Name">Its name, without a folder.</param>
/// <param name="Bytes">Its length.</param>
public sealed record PeerFile(string Name, long Bytes);
