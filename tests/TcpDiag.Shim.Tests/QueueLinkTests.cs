using System.Runtime.Versioning;

namespace TcpDiag.Shim.Tests;

/// <summary>The suite of links through a packet queue (NFQUEUE) of the near host.</summary>
[SupportedOSPlatform("linux")]
public class QueueLinkTests : LinkConformance
{
    private protected override ILinkLab NewLink(bool isIpv6, string match, params string[] options) => new QueueLinkLab(isIpv6, match, options);
}
