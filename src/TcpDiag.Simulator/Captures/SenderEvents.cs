using System;
using System.Collections.Generic;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>
/// What the stack of a sending Windows logs, in the units that docs/formats/stack-events.md gives. Event ids are the manifest's; an event that the build does
/// not have is left out.
/// </summary>
/// <param name="sink">Where it goes.</param>
/// <param name="flow">The flow.</param>
/// <param name="build">The build.</param>
sealed class SenderEvents(EventSink sink, SimulatedFlow flow, int build)
{
    const int ConnectRequested = 1002, Accepted = 1017, Connected = 1033, Closed = 1038, SendPosted = 1159, Template = 1223;
    const int CumulativeAck = 1330, SegmentSent = 1332, DuplicateAck = 1343, RetransmitRound = 1351, Summary = 1477, EarlierSummary = 1352;
    const int ProbeSegment = 1385, ProbeTimer = 1386, Rack = 1387, SackBlockReceived = 1547, SackReceived = 1548, ReoWndUpdated = 1577;
    const int AfdSend = 1003;

    const int EstablishedState = 4; // as netstat's ESTABLISHED in these events
    const int TimerFired = 2; // value map of 1386
    const int RttSampleUpdate = 5; // sixth of the names of RackEvent, if they are counted from 0
    const int Internet = 0; // value maps of 1223
    const int NewReno = 1;
    const int Cubic = 5;
    const int DeafBuild = 22_000; // counts no DSACK (Nebbett 2022)
    const int DelayedAckMs = 40;
    const int MaxRetransmissions = 5;
    const long NanosPerMs = 1_000_000;
    const long NanosPerUs = 1_000;

    readonly bool _countsDsacks = build != DeafBuild;
    TraceTime _opened;
    SequenceNumber _timedOut;
    int _roundTimeouts;
    int _duplicates;
    long _reoWndUs = -1;
    int _bytesResent;
    bool _isClosed;

    /// <summary>Something happened at the host.</summary>
    public void OnHostEvent(in HostEvent told, Sender? tcp)
    {
        switch (told.Kind)
        {
            case HostEventKind.Opening:
                OnOpening(told.Time);
                break;
            case HostEventKind.Established:
                OnEstablished(told, tcp!);
                break;
            case HostEventKind.Written:
                OnWritten(told, tcp!);
                break;
            case HostEventKind.Sent or HostEventKind.Resent:
                OnSegment(told, tcp!);
                break;
            case HostEventKind.Probed:
                OnProbe(told, tcp!);
                break;
            case HostEventKind.TimedOut:
                OnTimeout(told, tcp!);
                break;
            case HostEventKind.Closed when !_isClosed:
                _isClosed = true;
                sink.Write(Closed, told.Time);
                break;
            default:
                break;
        }
    }

    /// <summary>An acknowledgment was taken in.</summary>
    public void OnAcknowledged(in AckArrival ack, int bytes, Sender tcp)
    {
        sink.Set("SndWnd", Granted(ack.Window));
        SetState(tcp);
        WriteSack(ack, tcp);
        sink.Set("SeqNo", ack.Una.Value);
        if (bytes > 0)
        {
            _duplicates = 0;
            sink.Set("BytesAcked", bytes);
            sink.Write(CumulativeAck, ack.Now);
        }
        else if (ack.IsDuplicate)
        {
            sink.Set("DupAckCount", ++_duplicates);
            sink.Write(DuplicateAck, ack.Now);
        }

        WriteReoWnd(ack, tcp);
    }

    /// <summary>The run is over: the connection is summed up, and what there is stands in a rundown.</summary>
    public void OnEnd(TraceTime now, SimulationResult result)
    {
        IReadOnlyList<long> truth = result.Truth;
        long window = truth[(int)SenderState.ReceiveWindow];
        long congestion = truth[(int)SenderState.CongestionWindow] + truth[(int)SenderState.Recovery] + truth[(int)SenderState.Timeout];
        long sender = truth[(int)SenderState.Application] + truth[(int)SenderState.SendBuffer] + truth[(int)SenderState.Pacing];
        sink.Set("SndLimTimeRwin", window / NanosPerMs);
        sink.Set("SndLimTimeCwnd", congestion / NanosPerMs);
        sink.Set("SndLimTimeRSnd", sender / NanosPerMs);
        sink.Set("DataBytesOut", result.Bytes);
        sink.Set("DataSegmentsOut", result.Counts.Segments);
        sink.Set("BytesRetrans", _bytesResent);
        sink.Set("Timeouts", result.Counts.Timeouts);
        sink.Set("FastRetran", result.Counts.Recoveries);
        sink.Set("ConnectionTimeMs", (now - _opened) / NanosPerMs);
        sink.Set("MinRttUs", (result.MinRttNanos ?? 0) / NanosPerUs);
        sink.Set("TimestampsEnabled", flow.Sender.HasTimestamps ? 1 : 0);
        sink.Write(sink.Has(Summary) ? Summary : EarlierSummary, now);
        sink.WriteRundown(now);
    }

    // As a header carries it (RFC 7323 §2.3): what is below its scale is not granted.
    int Granted(int window) => Math.Min(window >> flow.Receiver.WindowScale, ushort.MaxValue) << flow.Receiver.WindowScale;

    void OnOpening(TraceTime now)
    {
        if (_opened == default && !flow.IsDownload)
        {
            sink.Write(ConnectRequested, now);
        }

        _opened = _opened == default ? now : _opened;
    }

    void OnEstablished(in HostEvent told, Sender tcp)
    {
        SetTemplate();
        sink.Set("State", EstablishedState);
        sink.Set("TcpState", EstablishedState);
        sink.Set("SndWnd", told.Bytes);
        SetState(tcp);
        sink.Write(flow.IsDownload ? Accepted : Connected, told.Time);
        sink.Write(Template, told.Time);
    }

    void SetTemplate()
    {
        SenderTraits traits = flow.Sender;
        sink.Set("TemplateType", Internet);
        sink.Set("MinRto", traits.Rto.MinNanos / NanosPerMs);
        sink.Set("InitialCwnd", traits.InitialWindowSegments);
        sink.Set("CongestionAlgorithm", traits.Congestion.Algorithm == CongestionAlgorithm.Reno ? NewReno : Cubic);
        sink.Set("MaxDataRetransmissions", MaxRetransmissions);
        sink.Set("DelayedAckTicks", DelayedAckMs);
        sink.Set("DelayedAckFrequency", 2);
        sink.Set("Rack", traits.Detection == LossDetection.Rack ? 1 : 0);
        sink.Set("TailLossProbe", traits.HasTailLossProbe ? 1 : 0);
    }

    void OnWritten(in HostEvent told, Sender tcp)
    {
        sink.WriteCall(AfdSend, isExit: false, told.Bytes, told.Time);
        sink.Set("NumBytes", told.Bytes);
        sink.Set("SndNxt", tcp.SndNxt.Value);
        sink.Set("SendAvailable", tcp.UnsentBytes);
        sink.Write(SendPosted, told.Time);
        sink.WriteCall(AfdSend, isExit: true, told.Bytes, told.Time);
    }

    // SndMax is that of before the segment.
    void OnSegment(in HostEvent told, Sender tcp)
    {
        bool isNew = told.Kind == HostEventKind.Sent;
        SetState(tcp);
        sink.Set("SndMax", isNew ? told.Seq.Value : tcp.SndNxt.Value);
        sink.Set("SeqNo", told.Seq.Value);
        sink.Set("BytesSent", told.Bytes);
        sink.Write(SegmentSent, told.Time);
        _bytesResent += isNew ? 0 : told.Bytes;
    }

    void OnProbe(in HostEvent told, Sender tcp)
    {
        SetState(tcp);
        sink.Set("TlpEvent", TimerFired);
        sink.Write(ProbeTimer, told.Time);
        sink.Set("SendAvailable", tcp.UnsentBytes);
        sink.Set("TailProbeSeq", told.Seq.Value);
        sink.Set("TailProbeLast", (told.Seq + told.Bytes).Value);
        sink.Write(ProbeSegment, told.Time);
    }

    void OnTimeout(in HostEvent told, Sender tcp)
    {
        _roundTimeouts = told.Seq == _timedOut ? _roundTimeouts + 1 : 1;
        _timedOut = told.Seq;
        SetState(tcp);
        sink.Set("RexmitCount", _roundTimeouts);
        sink.Write(RetransmitRound, told.Time);
    }

    void WriteSack(in AckArrival ack, Sender tcp)
    {
        if (ack.BlockCount == 0)
        {
            return;
        }

        sink.Set("Ack", ack.Una.Value);
        for (int i = 0; i < ack.BlockCount; i++)
        {
            sink.Set("SLE", ack[i].Left.Value);
            sink.Set("SRE", ack[i].Right.Value);
            sink.Write(SackBlockReceived, ack.Now);
        }

        sink.Set("NumSackBlocks", ack.BlockCount);
        sink.Set("DSackCount", ack.IsDsack && _countsDsacks ? 1 : 0);
        sink.Set("InRecovery", tcp.Phase == RecoveryPhase.Open ? 0 : 1);
        sink.Write(SackReceived, ack.Now);
    }

    void WriteReoWnd(in AckArrival ack, Sender tcp)
    {
        long reoWndUs = tcp.ReoWndNanos / NanosPerUs;
        if (flow.Sender.Detection != LossDetection.Rack || reoWndUs == _reoWndUs)
        {
            return;
        }

        _reoWndUs = reoWndUs;
        if (sink.Has(ReoWndUpdated))
        {
            sink.Set("Multiplier", tcp.ReoWndMult);
            sink.Set("Reownd", reoWndUs);
            sink.Set("ReorderingSeen", tcp.ReorderingSeen ? 1 : 0);
            sink.Set("DSackSeenOnLatestAck", ack.IsDsack && _countsDsacks ? 1 : 0);
            sink.Set("InLossRecovery", tcp.Phase == RecoveryPhase.Open ? 0 : 1);
            sink.Write(ReoWndUpdated, ack.Now);
            return;
        }

        sink.Set("RackEvent", RttSampleUpdate);
        sink.Set("RackMinRtt", tcp.MinRttNanos / NanosPerMs);
        sink.Set("RackReoWind", tcp.ReoWndNanos / NanosPerMs);
        sink.Set("SequenceNumber", ack.Una.Value);
        sink.Set("Timestamp", (ack.Now.Nanoseconds / NanosPerUs) & uint.MaxValue);
        sink.Set("RttSample", tcp.LastRttNanos / NanosPerMs);
        sink.Write(Rack, ack.Now);
    }

    void SetState(Sender tcp)
    {
        long srttUs = tcp.SrttNanos / NanosPerUs;
        foreach (string name in (ReadOnlySpan<string>)["SRtt", "SRTT", "RttUs"])
        {
            sink.Set(name, srttUs);
        }

        sink.Set("Cwnd", tcp.Cwnd);
        sink.Set("CWnd", tcp.Cwnd);
        long ssthresh = Math.Min(tcp.Ssthresh, uint.MaxValue);
        sink.Set("SSThresh", ssthresh);
        sink.Set("SsThresh", ssthresh);
        sink.Set("RTO", tcp.RtoNanos / NanosPerMs);
        sink.Set("SndUna", tcp.SndUna.Value);
        sink.Set("SndMax", tcp.SndNxt.Value);
        sink.Set("BytesInFlight", tcp.FlightBytes);
    }
}
