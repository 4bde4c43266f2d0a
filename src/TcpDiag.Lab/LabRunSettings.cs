using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Programs;

namespace TcpDiag.Lab;

/// <summary>What to run and where to leave it.</summary>
/// <param name="Matrix">The experiment.</param>
/// <param name="Seed">Seed of the whole.</param>
/// <param name="Scale">Shortens flows, above 0 and at most 1.</param>
/// <param name="Retries">How often a void run is repeated at most.</param>
/// <param name="Jobs">How many runs there are at once, each in namespaces of its own; 1 where figures are to be compared.</param>
/// <param name="Out">The result directory.</param>
/// <param name="Peer">The machine that receives; null for two namespaces of this one.</param>
/// <param name="Program">How this program is started again.</param>
/// <param name="Ends">Between which addresses of this machine, where <paramref name="Peer"/> is this machine too; else null.</param>
public sealed record LabRunSettings(LabMatrix Matrix, ulong Seed, double Scale, int Retries, int Jobs, string Out, PeerEndpoint? Peer, LabProgram Program, OwnEnds? Ends = null);
