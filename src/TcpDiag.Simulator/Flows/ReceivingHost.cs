using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>The host that receives: its handshake, stack and program.</summary>
/// <param name="flow">The flow.</param>
/// <param name="path">Where its segments go.</param>
/// <param name="logs">Who hears what it does.</param>
/// <param name="iss">Its initial sequence number.</param>
/// <param name="firstByte">The first byte of the data.</param>
sealed class ReceivingHost(SimulatedFlow flow, SimulatedPath path, HostLogs logs, SequenceNumber iss, SequenceNumber firstByte)
{
    const int MaxSynWindow = 65_535;
    const byte Ce = 3;

    readonly Receiver _tcp = new(flow.Receiver, flow.Smss, firstByte);
    readonly ReadingProgram _program = new(flow);
    readonly ControlTimer _syn = new();
    readonly ControlTimer _fin = new();
    ushort _ipId;
    uint _synTsVal;
    bool _isEstablished;
    bool _isPeerDone;
    bool _hasFin;

    /// <summary>The program.</summary>
    public ReadingProgram Program => _program;

    /// <summary>Whether it waits for the acknowledgment of its FIN.</summary>
    public bool IsClosing => _fin.IsRunning;

    /// <summary>When it wants to be woken.</summary>
    public TraceTime NextTimer
    {
        get
        {
            TraceTime due = _tcp.NextTimer < _program.NextTimer ? _tcp.NextTimer : _program.NextTimer;
            TraceTime control = _syn.Due < _fin.Due ? _syn.Due : _fin.Due;
            return due < control ? due : control;
        }
    }

    /// <summary>Opens the connection, in a download.</summary>
    public void Open(TraceTime now)
    {
        _syn.Start(now);
        SendHandshake(TcpFlags.Syn, now);
    }

    /// <summary>A segment arrived.</summary>
    public void OnPacket(in SimulatedPacket packet, TraceTime now)
    {
        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            OnSyn(packet, now);
            return;
        }

        if (_syn.IsRunning)
        {
            OnAccepted(now);
        }

        if ((packet.Flags & TcpFlags.Cwr) != 0)
        {
            _tcp.OnWindowReduced();
        }

        if ((packet.Flags & TcpFlags.Fin) != 0)
        {
            OnFin(packet, now);
        }
        else if (_isPeerDone)
        {
            OnClosing(packet);
        }
        else if (packet.Length > 0)
        {
            logs.Tell(new(HostEventKind.Received, now, packet.Seq, packet.Length));
            _tcp.OnSegment(new DataArrival(packet.Seq, packet.Length, now)
            {
                TsVal = packet.TsVal,
                TsEcr = packet.Ack.HasTimestamps ? packet.Ack.TsEcr : null,
                IsMarked = packet.Ecn == Ce,
                IsPushed = (packet.Flags & TcpFlags.Psh) != 0,
            });
            Read(now);
        }
    }

    /// <summary>Does what is due: timers, reads, acknowledgments.</summary>
    public void Run(TraceTime now)
    {
        if (_syn.IsDue(now))
        {
            SendHandshake(flow.IsDownload ? TcpFlags.Syn : TcpFlags.Syn | TcpFlags.Ack, now);
        }

        if (_fin.IsDue(now))
        {
            SendClosing(now);
        }

        if (_program.NextTimer <= now)
        {
            Read(now);
        }

        if (_isPeerDone && !_hasFin && _tcp.Unread == 0)
        {
            Close(now);
        }

        _tcp.OnTimer(now);
        while (_tcp.TryTakeAck(out AckArrival ack))
        {
            ack.Una += _isPeerDone ? 1 : 0;
            Send(TcpFlags.Ack | (ack.HasEcnEcho ? TcpFlags.Ece : TcpFlags.None), iss + 1, ack, now);
        }
    }

    void Read(TraceTime now)
    {
        long read = _program.Read;
        _program.OnData(_tcp, now);
        if (_program.Read > read)
        {
            logs.Tell(new(HostEventKind.Read, now, _tcp.RcvNxt, (int)(_program.Read - read)));
        }
    }

    void OnSyn(in SimulatedPacket packet, TraceTime now)
    {
        bool isFirst = !_isEstablished;
        _isEstablished = true;
        if (isFirst)
        {
            _synTsVal = packet.TsVal;
            _tcp.OnSyn(packet.TsVal);
            logs.Tell(new(HostEventKind.Established, now, packet.Seq + 1, packet.Ack.Window));
        }

        if (flow.IsDownload)
        {
            if (_syn.IsRunning)
            {
                OnAccepted(now);
            }

            AckArrival ack = _tcp.TakeAck();
            ack.TsEcr = packet.TsVal;
            Send(TcpFlags.Ack, iss + 1, ack, now);
        }
        else
        {
            StartHandshake(isFirst, now);
        }
    }

    void OnAccepted(TraceTime now)
    {
        _syn.Stop();
        _tcp.OnEstablished(now, _syn.IsFirst ? now - _syn.Sent : 0); // RFC 6298 §3: a SYN that was sent twice gives no sample
    }

    void StartHandshake(bool isFirst, TraceTime now)
    {
        if (isFirst)
        {
            _syn.Start(now);
        }

        SendHandshake(TcpFlags.Syn | TcpFlags.Ack, now);
    }

    void OnFin(in SimulatedPacket packet, TraceTime now)
    {
        if (packet.Seq != _tcp.RcvNxt)
        {
            return; // data before it is missing: it will come again
        }

        _isPeerDone = true;
        if (_hasFin || _tcp.Unread > 0)
        {
            SendClosing(now);
        }
    }

    // The program closes as well once it has read all there is.
    void Close(TraceTime now)
    {
        _hasFin = true;
        _fin.Start(now);
        logs.Tell(new(HostEventKind.Closed, now));
        SendClosing(now);
    }

    void OnClosing(in SimulatedPacket packet)
    {
        if (packet.Ack.Una == iss + 2)
        {
            _fin.Stop();
        }
    }

    void SendClosing(TraceTime now)
    {
        AckArrival ack = _tcp.TakeAck();
        ack.Una += 1;
        Send(_hasFin ? TcpFlags.Fin | TcpFlags.Ack : TcpFlags.Ack, iss + 1, ack, now);
    }

    void SendHandshake(TcpFlags flags, TraceTime now)
    {
        AckArrival ack = new() { Una = firstByte, Window = System.Math.Min(_tcp.Window, MaxSynWindow), TsEcr = _synTsVal };
        Send(flags | flow.HandshakeBits(flags), iss, ack, now);
    }

    void Send(TcpFlags flags, SequenceNumber seq, AckArrival ack, TraceTime now)
    {
        ack.HasTimestamps = flow.Sender.HasTimestamps;
        SimulatedPacket packet = new()
        {
            Flags = flags,
            Seq = seq,
            IpId = _ipId++,
            TsVal = SimulatedFlow.TsVal(now),
            Ack = ack,
        };
        path.Send(packet, now);
    }
}
