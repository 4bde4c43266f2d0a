using TcpDiag.Simulator.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>What the stack of a receiving Windows logs.</summary>
/// <param name="sink">Where it goes.</param>
/// <param name="flow">The flow.</param>
sealed class ReceiverEvents(EventSink sink, SimulatedFlow flow)
{
    const int Accepted = 1017, Connected = 1033, Closed = 1038, SegmentReceived = 1074;
    const int AfdReceive = 1004;
    const int EstablishedState = 4;

    /// <summary>Something happened at the host.</summary>
    public void OnHostEvent(in HostEvent told)
    {
        switch (told.Kind)
        {
            case HostEventKind.Established:
                sink.Set("State", EstablishedState);
                sink.Write(flow.IsDownload ? Connected : Accepted, told.Time);
                break;
            case HostEventKind.Received:
                sink.Set("NumBytes", told.Bytes);
                sink.Set("SeqNo", told.Seq.Value);
                sink.Set("NumPkt", 1);
                sink.Write(SegmentReceived, told.Time);
                break;
            case HostEventKind.Read:
                sink.WriteCall(AfdReceive, isExit: false, told.Bytes, told.Time);
                sink.WriteCall(AfdReceive, isExit: true, told.Bytes, told.Time);
                break;
            case HostEventKind.Closed:
                sink.Write(Closed, told.Time);
                break;
            default:
                break;
        }
    }

    /// <summary>The run is over.</summary>
    public void OnEnd(TraceTime now) => sink.WriteRundown(now);
}
