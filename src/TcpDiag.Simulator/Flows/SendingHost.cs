using System;
using System.Collections.Generic;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>The host that sends: its handshake, program, stack and pacing.</summary>
/// <param name="flow">The flow.</param>
/// <param name="path">Where its segments go.</param>
/// <param name="logs">Who hears what it does.</param>
/// <param name="iss">Its initial sequence number.</param>
sealed class SendingHost(SimulatedFlow flow, SimulatedPath path, HostLogs logs, SequenceNumber iss)
{
    const byte Ect0 = 2;
    const int SynWindow = 65_535;
    const int Window = 64 * 1024; // what it grants: no data comes back

    readonly SenderTruth _truth = new();
    readonly ControlTimer _syn = new();
    readonly ControlTimer _fin = new();
    WritingProgram? _program;
    SequenceNumber _peerNext;
    TraceTime _pacedUntil = TraceTime.Earliest;
    uint _peerTsVal;
    ushort _ipId;
    int _window = -1; // of the latest acknowledgment
    bool _mustSendCwr;
    bool _isPeerDone;
    IReadOnlyList<long>? _times;

    /// <summary>Its stack, once the connection is established.</summary>
    public Sender? Tcp { get; private set; }

    /// <summary>When the program wrote first.</summary>
    public TraceTime FirstWrite { get; private set; } = flow.Start;

    /// <summary>Whether everything was acknowledged.</summary>
    public bool IsDone { get; private set; }

    /// <summary>When everything was acknowledged.</summary>
    public TraceTime DoneTime { get; private set; }

    /// <summary>Whether both directions are closed (RFC 9293 §3.6), as far as this end knows.</summary>
    public bool IsClosed => IsDone && _isPeerDone && !_fin.IsRunning;

    /// <summary>When it wants to be woken.</summary>
    public TraceTime NextTimer
    {
        get
        {
            if (Tcp is null || _program is null)
            {
                return _syn.Due;
            }

            if (IsDone)
            {
                return _fin.Due;
            }

            TraceTime pace = flow.PacingBitsPerSecond > 0 && Tcp.UnsentBytes > 0 && Tcp.HeldBy == SendHold.None ? _pacedUntil : TraceTime.Latest;
            TraceTime due = Tcp.NextTimer < _program.NextTimer ? Tcp.NextTimer : _program.NextTimer;
            return pace < due ? pace : due;
        }
    }

    /// <summary>Time by state, ns.</summary>
    public IReadOnlyList<long> Truth(TraceTime now) => _times ?? _truth.End(now);

    /// <summary>Opens the connection.</summary>
    public void Open(TraceTime now)
    {
        _syn.Start(now);
        Send(Handshake(TcpFlags.Syn), now);
    }

    /// <summary>A segment arrived.</summary>
    public void OnPacket(in SimulatedPacket packet, TraceTime now)
    {
        _peerTsVal = packet.TsVal;
        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            OnSyn(packet, now);
            return;
        }

        if (Tcp is null)
        {
            Establish(packet, now); // the third segment of a handshake that the other side began
        }

        if (Tcp is not null && !IsDone)
        {
            Acknowledge(Tcp, packet, now);
        }
        else if (IsDone)
        {
            OnClosing(packet, now);
        }
    }

    /// <summary>Does what is due: timers, writes, segments.</summary>
    public void Run(TraceTime now)
    {
        if (Tcp is null || _program is null)
        {
            if (_syn.IsDue(now))
            {
                Send(Handshake(flow.IsDownload ? TcpFlags.Syn | TcpFlags.Ack : TcpFlags.Syn), now);
            }

            return;
        }

        if (IsDone)
        {
            RunClosing(now);
            return;
        }

        RunTimer(now);
        int buffered = Tcp.BufferedBytes;
        _program.Write(Tcp, now);
        if (Tcp.BufferedBytes > buffered)
        {
            logs.Tell(new(HostEventKind.Written, now, Tcp.SndNxt, Tcp.BufferedBytes - buffered), Tcp);
        }

        SendAll(now);
        _truth.Set(StateNow(), now);
        if (_program.IsDone && Tcp.BufferedBytes == 0)
        {
            Finish(now);
        }
    }

    void OnSyn(in SimulatedPacket packet, TraceTime now)
    {
        if (IsDone)
        {
            return;
        }

        _peerNext = packet.Seq + 1;
        if (flow.IsDownload && Tcp is null)
        {
            _syn.Start(now);
            Send(Handshake(TcpFlags.Syn | TcpFlags.Ack), now);
            return;
        }

        if (Tcp is null)
        {
            Establish(packet, now);
        }

        Send(Segment(TcpFlags.Ack, Tcp?.SndNxt ?? (iss + 1), 0), now);
    }

    void Establish(in SimulatedPacket packet, TraceTime now)
    {
        if ((packet.Flags & TcpFlags.Ack) == 0 || packet.Ack.Una != iss + 1)
        {
            return;
        }

        Tcp = new Sender(flow.Sender, flow.Smss, iss + 1, packet.Ack.Window, _syn.Timeouts);
        if (_syn.IsFirst)
        {
            Tcp.OnHandshakeRtt(now, Math.Max(now - _syn.Sent, 1));
        }

        _syn.Stop();
        FirstWrite = now;
        _program = new WritingProgram(flow, now);
        logs.Tell(new(HostEventKind.Established, now, iss + 1, packet.Ack.Window), Tcp);
    }

    void Acknowledge(Sender tcp, in SimulatedPacket packet, TraceTime now)
    {
        AckArrival ack = packet.Ack;
        ack.Now = now;
        ack.IsDuplicate = packet.Length == 0 && ack.Una == tcp.SndUna && tcp.FlightBytes > 0 && ack.Window == _window; // RFC 5681 §2
        _window = ack.Window;
        int reductions = tcp.EcnReductions;
        SequenceNumber una = tcp.SndUna;
        tcp.OnAckReceived(ack);
        logs.TellAcknowledged(ack, tcp.SndUna - una, tcp);
        _truth.OnEvent(now);
        _mustSendCwr |= tcp.EcnReductions > reductions;
    }

    void RunTimer(TraceTime now)
    {
        if (Tcp!.NextTimer > now)
        {
            return;
        }

        int timeouts = Tcp.Timeouts;
        bool hasProbe = Tcp.OnTimer(now, SimulatedFlow.TsVal(now), out OutgoingSegment probe);
        if (Tcp.Timeouts > timeouts)
        {
            logs.Tell(new(HostEventKind.TimedOut, now, Tcp.SndUna), Tcp);
        }

        if (probe.IsProbe)
        {
            logs.Tell(new(HostEventKind.Probed, now, probe.Seq, probe.Length), Tcp);
        }

        if (Tcp.Timeouts > timeouts || probe.IsProbe)
        {
            _truth.OnTimeout(now);
        }

        if (hasProbe)
        {
            SendData(probe, now);
        }
    }

    void SendAll(TraceTime now)
    {
        while (now >= _pacedUntil && Tcp!.TrySend(now, SimulatedFlow.TsVal(now), out OutgoingSegment segment))
        {
            SendData(segment, now);
            if (flow.PacingBitsPerSecond > 0)
            {
                _pacedUntil = now + (8L * segment.Length * 1_000_000_000 / flow.PacingBitsPerSecond);
            }
        }
    }

    void SendData(in OutgoingSegment segment, TraceTime now)
    {
        _truth.OnEvent(now);
        logs.Tell(new(segment.IsRetransmission ? HostEventKind.Resent : HostEventKind.Sent, now, segment.Seq, segment.Length), Tcp);
        bool isLast = Tcp!.UnsentBytes == 0;
        TcpFlags flags = TcpFlags.Ack | (isLast ? TcpFlags.Psh : TcpFlags.None) | (_mustSendCwr && !segment.IsRetransmission ? TcpFlags.Cwr : TcpFlags.None);
        _mustSendCwr &= segment.IsRetransmission;
        SimulatedPacket packet = Segment(flags, segment.Seq, segment.Length);
        packet.Ecn = flow.IsEcn && !segment.IsRetransmission ? Ect0 : (byte)0;
        Send(packet, now);
    }

    SenderState StateNow()
    {
        if (Tcp!.Phase != RecoveryPhase.Open)
        {
            return SenderState.Recovery;
        }

        return Tcp.HeldBy switch
        {
            SendHold.CongestionWindow => SenderState.CongestionWindow,
            SendHold.ReceiveWindow => SenderState.ReceiveWindow,
            SendHold.None => SenderState.Pacing,
            _ => _program!.IsBlocked ? SenderState.SendBuffer : SenderState.Application,
        };
    }

    void Finish(TraceTime now)
    {
        IsDone = true;
        DoneTime = now;
        _times = _truth.End(now);
        _fin.Start(now);
        SendFin(now);
    }

    void OnClosing(in SimulatedPacket packet, TraceTime now)
    {
        SequenceNumber fin = Tcp!.SndNxt;
        if (packet.Ack.Una == fin + 1)
        {
            _fin.Stop();
        }

        if ((packet.Flags & TcpFlags.Fin) != 0)
        {
            _isPeerDone = true;
            _peerNext = packet.Seq + 1;
            Send(Segment(TcpFlags.Ack, fin + 1, 0), now);
        }
    }

    void RunClosing(TraceTime now)
    {
        if (_fin.IsDue(now))
        {
            SendFin(now);
        }
    }

    void SendFin(TraceTime now)
    {
        logs.Tell(new(HostEventKind.Closed, now), Tcp);
        Send(Segment(TcpFlags.Fin | TcpFlags.Ack, Tcp!.SndNxt, 0), now);
    }

    SimulatedPacket Handshake(TcpFlags flags)
    {
        SimulatedPacket packet = Segment(flags | flow.HandshakeBits(flags), iss, 0);
        packet.Ack.Window = SynWindow;
        return packet;
    }

    SimulatedPacket Segment(TcpFlags flags, SequenceNumber seq, int length)
    {
        AckArrival ack = new() { Una = _peerNext, Window = Window, HasTimestamps = flow.Sender.HasTimestamps, TsEcr = _peerTsVal };
        return new SimulatedPacket { IsFromSender = true, Flags = flags, Seq = seq, Length = length, Ack = ack };
    }

    void Send(SimulatedPacket packet, TraceTime now)
    {
        packet.TsVal = SimulatedFlow.TsVal(now);
        packet.IpId = _ipId++;
        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            logs.Tell(new(HostEventKind.Opening, now, packet.Seq));
        }

        path.Send(packet, now);
    }
}
