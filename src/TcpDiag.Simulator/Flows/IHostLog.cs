using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>Hears what a host does at the instant it does it, as the event log of a stack would. A segment is told before it is seen on the path.</summary>
public interface IHostLog
{
    /// <summary>Which host: <see cref="SegmentPoint.Sender"/> or <see cref="SegmentPoint.Receiver"/>.</summary>
    SegmentPoint Point { get; }

    /// <summary>Something happened.</summary>
    /// <param name="told">What.</param>
    /// <param name="tcp">The sending stack as it stands then; null at the receiver.</param>
    void OnHostEvent(in HostEvent told, Sender? tcp);

    /// <summary>The sender took in an acknowledgment.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="bytes">What it acknowledged, bytes; 0 for a duplicate.</param>
    /// <param name="tcp">The stack, behind it.</param>
    void OnAcknowledged(in AckArrival ack, int bytes, Sender tcp);

    /// <summary>The run is over.</summary>
    /// <param name="now">When.</param>
    /// <param name="result">What came of it.</param>
    void OnEnd(TraceTime now, SimulationResult result);
}

/// <summary>What happened at a host.</summary>
/// <param name="Kind">What.</param>
/// <param name="Time">When.</param>
/// <param name="Seq">The first byte concerned, if there is one.</param>
/// <param name="Bytes">How many: written, sent, received, read; of <see cref="HostEventKind.Established"/> the peer's window.</param>
public readonly record struct HostEvent(HostEventKind Kind, TraceTime Time, SequenceNumber Seq = default, int Bytes = 0);

/// <summary>Kinds of <see cref="HostEvent"/>.</summary>
public enum HostEventKind
{
    /// <summary>A SYN or SYN/ACK goes out.</summary>
    Opening,

    /// <summary>The connection is established.</summary>
    Established,

    /// <summary>The program wrote.</summary>
    Written,

    /// <summary>A segment goes out for the first time.</summary>
    Sent,

    /// <summary>A segment goes out again.</summary>
    Resent,

    /// <summary>A tail loss probe goes out (RFC 8985 §7.3); as a segment it is told besides.</summary>
    Probed,

    /// <summary>The retransmission timer expired.</summary>
    TimedOut,

    /// <summary>A segment with data arrived.</summary>
    Received,

    /// <summary>The program read.</summary>
    Read,

    /// <summary>The program closed its direction.</summary>
    Closed,
}

/// <summary>The logs of one host.</summary>
readonly struct HostLogs(IHostLog[] logs)
{
    /// <summary>Tells what happened.</summary>
    public void Tell(in HostEvent told, Sender? tcp = null)
    {
        foreach (IHostLog log in logs)
        {
            log.OnHostEvent(told, tcp);
        }
    }

    /// <summary>Tells an acknowledgment.</summary>
    public void TellAcknowledged(in AckArrival ack, int bytes, Sender tcp)
    {
        foreach (IHostLog log in logs)
        {
            log.OnAcknowledged(ack, bytes, tcp);
        }
    }
}
