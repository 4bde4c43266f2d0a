using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>Knows what stacks told beside the packets of a trace.</summary>
interface IResendReasons
{
    /// <summary>What the sender of a packet named as reasons to send data of its connection again.</summary>
    /// <param name="packet">The packet.</param>
    /// <returns>The reasons; null when it named none.</returns>
    ResendReasons? Of(in ParsedPacket packet);
}
