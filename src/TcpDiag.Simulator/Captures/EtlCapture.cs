using System;
using System.IO;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>
/// Writes what a host sees and does as the .etl of a build of Windows: packets of NDIS-PacketCapture, and events of TCPIP and AFD in the layouts of that build.
/// The name of the session says that it is simulated. Payload is left out, as by a snap length.
/// </summary>
public sealed class EtlCapture : ISegmentCapture, IHostLog, IDisposable
{
    readonly EtlWriter _writer;
    readonly FrameWriter _frames;
    readonly WindowsRecordBuilder _records;
    readonly EventSink _sink;
    readonly SenderEvents _sending;
    readonly ReceiverEvents _receiving;
    TraceTime _latest;

    /// <summary>Starts a file.</summary>
    /// <param name="output">Where it goes; must seek; closed with the capture.</param>
    /// <param name="point">Which host: <see cref="SegmentPoint.Sender"/> or <see cref="SegmentPoint.Receiver"/>.</param>
    /// <param name="flow">The flow.</param>
    /// <param name="build">The build of Windows.</param>
    /// <param name="start">When the session starts; null for before the flow does.</param>
    public EtlCapture(Stream output, SegmentPoint point, SimulatedFlow flow, int build, TraceTime? start = null)
    {
        ArgumentNullException.ThrowIfNull(flow);
        if (point == SegmentPoint.Middle)
        {
            throw new ArgumentOutOfRangeException(nameof(point), "No Windows stands in the middle of the path.");
        }

        Point = point;
        flow = flow.Negotiated();
        _latest = start ?? flow.Start;
        _frames = flow.Frames();
        _records = new WindowsRecordBuilder(build, _latest);
        _writer = new EtlWriter(output, _records.Header(flow.Remark(point)));
        bool isSender = point == SegmentPoint.Sender;
        _sink = new EventSink(_writer, _records, flow.EndOf(isSender), flow.EndOf(!isSender), start);
        _sending = new SenderEvents(_sink, flow, build);
        _receiving = new ReceiverEvents(_sink, flow);
    }

    /// <inheritdoc/>
    public SegmentPoint Point { get; }

    /// <inheritdoc/>
    public void OnSegment(in SimulatedPacket packet, TraceTime time)
    {
        if (!_sink.IsRecording(time))
        {
            return;
        }

        Span<byte> frame = stackalloc byte[FrameWriter.MaxHeaderBytes];
        int length = _frames.Write(packet, frame);
        _latest = time;
        _writer.Write(_records.Packet(frame[..length], packet.IsFromSender == (Point == SegmentPoint.Sender), time), processor: 0);
    }

    /// <inheritdoc/>
    public void OnHostEvent(in HostEvent told, Sender? tcp)
    {
        _latest = told.Time;
        if (Point == SegmentPoint.Sender)
        {
            _sending.OnHostEvent(told, tcp);
        }
        else
        {
            _receiving.OnHostEvent(told);
        }
    }

    /// <inheritdoc/>
    public void OnAcknowledged(in AckArrival ack, int bytes, Sender tcp)
    {
        _latest = ack.Now;
        _sending.OnAcknowledged(ack, bytes, tcp);
    }

    /// <inheritdoc/>
    public void OnEnd(TraceTime now, SimulationResult result)
    {
        _latest = now;
        if (Point == SegmentPoint.Sender)
        {
            _sending.OnEnd(now, result);
        }
        else
        {
            _receiving.OnEnd(now);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _writer.Complete(_latest.ToFileTime());
        _writer.Dispose();
    }
}

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
