using System.Runtime.Versioning;
using TcpDiag.Shim.Tests;

namespace TcpDiag.Wine.Tests;

/// <summary>The suite of links, with real UDP and TCP, through the shim of the win-x64 build.</summary>
[SupportedOSPlatform("linux")]
public class WineLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) => new WineLinkLab(isIpv6, match, options);
}
