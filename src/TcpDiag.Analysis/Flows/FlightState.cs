using TcpDiag.Analysis.Scoreboards;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// What a direction that sends data needs beside its counters. Many directions may be open at once, most of them calm:
/// only the oldest send time and the first RTT samples have their place here, the rest is taken when it is needed.
/// </summary>
struct FlightState
{
    /// <summary>Send times kept at once, the oldest included, which has its place here. Segments sent while there are so many give no sample.</summary>
    public const int MostSendTimes = SendTimeRing.Length;

    /// <summary>When the oldest data not yet acknowledged was sent; valid while <see cref="DirectionState.SendTimes"/> &gt; 0.</summary>
    public SendTime Oldest;

    /// <summary>RTT samples.</summary>
    public RttSamples Rtt;

    /// <summary>What was sent after the oldest; none as long as there was nothing, and perhaps when there is nothing any more.</summary>
    public Pooled<SendTimeRing> Ring;

    /// <summary>None while nothing was missing, SACKed or resent.</summary>
    public Pooled<Scoreboard> Board;

    /// <summary>IPv4 identifications of what this direction's sender sends, since its first data.</summary>
    public IpIdAccount IpIds;
}
