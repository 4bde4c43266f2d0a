using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux;

/// <summary>Linux counts windows in segments; with the segment size of the connection they become bytes, as the vocabulary has them.</summary>
static class SegmentWindows
{
    /// <summary>Adds the windows in bytes beside those in segments.</summary>
    /// <param name="target">The event.</param>
    /// <param name="mss">Largest payload of a segment, bytes; 0 when it is not known, and nothing is added.</param>
    public static void Scale(StackEvent target, uint mss)
    {
        if (mss == 0)
        {
            return;
        }

        target.Set(StackField.Mss, mss);
        if (target.TryGet(StackField.CwndSegments, out long cwnd))
        {
            target.Set(StackField.Cwnd, cwnd * mss);
        }

        if (target.TryGet(StackField.SsthreshSegments, out long ssthresh))
        {
            target.Set(StackField.Ssthresh, ssthresh * mss);
        }
    }
}
