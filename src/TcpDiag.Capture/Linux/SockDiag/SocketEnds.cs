using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>An open TCP socket as a listing tells it.</summary>
/// <param name="Local">Its own end.</param>
/// <param name="Remote">The peer's end.</param>
/// <param name="Inode">Its inode; 0 when no process holds it.</param>
readonly record struct SocketEnds(Endpoint Local, Endpoint Remote, uint Inode);
