namespace TcpDiag.Capture.Linux.SockDiag;

/// <summary>The process that holds a socket; the first found where several share it.</summary>
/// <param name="ProcessId">Its id, in the recorder's view of processes.</param>
/// <param name="Name">Its name (comm): at most 15 characters.</param>
readonly record struct SocketOwner(uint ProcessId, string Name);
