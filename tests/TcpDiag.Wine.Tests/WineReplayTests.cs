using System.Runtime.Versioning;
using TcpDiag.Shim.Tests;

namespace TcpDiag.Wine.Tests;

/// <summary>What of the suite of links needs no real hosts, with replayed packets through the shim of the win-x64 build.</summary>
[SupportedOSPlatform("linux")]
public class WineReplayTests : PathConformance
{
    private protected override IPathLab NewPath(bool isIpv6, string match, params string[] options) => new WineReplayLab(isIpv6, match, options);
}
