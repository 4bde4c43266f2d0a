namespace TcpDiag.Analysis.Flows;

/// <summary>Tells probes of a closed window and keep-alives from data: neither counts as sent again.</summary>
static class ProbeAccount
{
    /// <summary>Takes in a segment without payload that does not stand at SND.MAX: keep-alives and probes of some stacks (RFC 9293 §3.8.4).</summary>
    /// <param name="sent">Its direction.</param>
    /// <param name="acked">The direction of its receiver.</param>
    /// <param name="step">The segment; gets what it is.</param>
    public static void OnEmpty(ref DirectionState sent, in DirectionState acked, ref LedgerStep step)
    {
        if (step.Start + 1 != sent.SndUna)
        {
            return;
        }

        if (IsWindowClosed(acked))
        {
            sent.ZeroWindowProbes++;
            step.Sent = SentKind.WindowProbe;
        }
        else if (sent.InFlight == 0)
        {
            sent.KeepAlives++;
            step.Sent = SentKind.KeepAlive;
        }
    }

    /// <summary>Takes in a segment of one byte, which may be a probe of a closed window (RFC 9293 §3.8.6.1), or a keep-alive that repeats the last byte.</summary>
    /// <param name="sent">Its direction.</param>
    /// <param name="acked">The direction of its receiver.</param>
    /// <param name="step">The segment; gets what it is.</param>
    /// <returns>True when it is one of them.</returns>
    public static bool IsProbe(ref DirectionState sent, in DirectionState acked, ref LedgerStep step)
    {
        if (IsWindowClosed(acked))
        {
            sent.ZeroWindowProbes++;
            step.Sent = SentKind.WindowProbe;
            sent.Marks |= step.Start == sent.SndMax ? DirectionMarks.ProbeByteOut : DirectionMarks.None;
            return true;
        }

        bool isKeepAlive = sent.InFlight == 0 && step.Start + 1 == sent.SndMax;
        sent.KeepAlives += isKeepAlive ? 1 : 0;
        step.Sent = isKeepAlive ? SentKind.KeepAlive : SentKind.None;
        return isKeepAlive;
    }

    static bool IsWindowClosed(in DirectionState peer) => peer.LastWindow == 0 && peer.Packets > 0;
}
