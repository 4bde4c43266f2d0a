using System.Collections.Generic;
using TcpDiag.Lab.Programs;

namespace TcpDiag.Lab.Peers;

/// <summary>How a path is emulated and packets are recorded at this machine.</summary>
/// <param name="Program">How this program is started again.</param>
/// <param name="Options">Options of <c>shim serve</c> beside the path, e.g. where the driver is.</param>
public sealed record PeerStart(LabProgram Program, IReadOnlyList<string> Options);
