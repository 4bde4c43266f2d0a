
namespace TcpDiag.Analysis.Sender;

/// <summary>Probes of a closed window and keep-alives of one end, told from data: neither counts as sent again.</summary>
struct ProbeCounts
{
    bool _isProbeByteOut;

    /// <summary>Probes of a zero window.</summary>
    public int ZeroWindowProbes { get; private set; }

    /// <summary>Keep-alives.</summary>
    public int KeepAlives { get; private set; }

    /// <summary>Takes in a segment without payload that is not at SND.MAX: keep-alives and probes of some stacks (RFC 9293 §3.8.4).</summary>
    /// <param name="space">What its end has sent.</param>
    /// <param name="isWindowClosed">Whether the latest window of the other end is zero.</param>
    /// <param name="segment">The segment; gets what it is.</param>
    public void OnEmpty(in SequenceSpace space, bool isWindowClosed, ref Segment segment)
    {
        if (segment.Start + 1 != space.SndUna)
        {
            return;
        }

        if (isWindowClosed)
        {
            ZeroWindowProbes++;
            segment.Sent.Kind = SentKind.WindowProbe;
        }
        else if (space.InFlight == 0)
        {
            KeepAlives++;
            segment.Sent.Kind = SentKind.KeepAlive;
        }
    }

    /// <summary>
    /// Takes in a segment of one byte, which may be a probe of a closed window (RFC 9293 §3.8.6.1), or a keep-alive that repeats the last byte.
    /// </summary>
    /// <param name="space">What its end has sent.</param>
    /// <param name="isWindowClosed">Whether the latest window of the other end is zero.</param>
    /// <param name="segment">The segment; gets what it is.</param>
    /// <returns>True when it is one of them and occupies no sequence space.</returns>
    public bool IsProbe(in SequenceSpace space, bool isWindowClosed, ref Segment segment)
    {
        if (isWindowClosed)
        {
            ZeroWindowProbes++;
            segment.Sent.Kind = SentKind.WindowProbe;
            _isProbeByteOut |= segment.Start == space.SndMax;
            return true;
        }

        bool isKeepAlive = space.InFlight == 0 && segment.Start + 1 == space.SndMax;
        KeepAlives += isKeepAlive ? 1 : 0;
        segment.Sent.Kind = isKeepAlive ? SentKind.KeepAlive : SentKind.None;
        return isKeepAlive;
    }

    /// <summary>
    /// Takes in that the one byte sent so far was refused by a closed window: it was a probe, and the capture began while the window was closed.
    /// </summary>
    public void OnRefused()
    {
        ZeroWindowProbes++;
        _isProbeByteOut = true;
    }

    /// <summary>Takes in an acknowledgment beyond SND.MAX.</summary>
    /// <param name="bytes">How far beyond.</param>
    /// <returns>True when it accepts the byte of a probe.</returns>
    public bool TakeProbeByte(int bytes)
    {
        bool isProbeByte = bytes == 1 && _isProbeByteOut;
        _isProbeByteOut = false;
        return isProbeByte;
    }
}
