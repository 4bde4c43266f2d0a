using System;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>
/// Redacts a captured frame where it stands: headers of link, IP, TCP, UDP and ICMP stay with pseudonyms in them, messages of name services stay with pseudonyms in them,
/// everything else becomes zero. It trusts the same parser as the analysis, so that what the analysis reads is what was redacted; what that parser does not understand goes.
/// </summary>
/// <param name="names">Gives the pseudonyms.</param>
sealed class FrameRedactor(Pseudonyms names)
{
    readonly LinkRedactor _link = new(names);
    readonly IpRedactor _ip = new(names);
    ParsedPacket _packet;

    /// <summary>Redacts a frame.</summary>
    /// <param name="frame">What was captured, link-layer header first.</param>
    /// <param name="link">What it begins with.</param>
    /// <param name="originalLength">Bytes on the wire.</param>
    /// <returns>How many bytes at the beginning are kept; behind them stand zeros.</returns>
    public int Redact(Span<byte> frame, LinkType link, int originalLength)
    {
        bool isIp = PacketParser.TryParse(frame, link, originalLength, ref _packet);
        int kept = _link.Redact(frame, link);
        if (isIp)
        {
            kept = _ip.Redact(frame, ref _packet);
        }

        names.Tally.Add(RedactionKind.PayloadBytes, frame.Length - kept);
        frame[kept..].Clear();
        return kept;
    }
}
