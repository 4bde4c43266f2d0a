using System.Collections.Generic;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Receiving;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Probe.Tests;

/// <summary>An upload of a simulated stack to the probe in virtual time, over a path with a fixed delay each way.</summary>
sealed class VirtualUpload
{
    const int Smss = 1460;
    const long LimitNanos = 120_000_000_000;

    static readonly TraceTime Start = new(1_700_000_000_000_000_000);

    readonly Queue<(TraceTime Due, ProbeSegment Segment)> _toProbe = new();
    readonly Queue<(TraceTime Due, ProbeSegment Segment)> _toSender = new();
    readonly ScriptedReceiver _receiver;
    readonly SenderTraits _traits;
    readonly SequenceNumber _iss;
    readonly long _oneWayNanos;
    TraceTime _now = Start;
    SequenceNumber _peer;

    VirtualUpload(ProbeProfile profile, SenderTraits traits, long oneWayNanos, ProbeSettings settings, uint iss)
    {
        _traits = traits with { HasTimestamps = false };
        _oneWayNanos = oneWayNanos;
        _iss = new SequenceNumber(iss);
        _receiver = new ScriptedReceiver(settings, profile, new SequenceNumber(77));
    }

    public Sender? Sender { get; private set; }

    public ReceiverView View => _receiver.View;

    public string End => _receiver.End ?? "the time was over";

    public double Seconds => (_now - Start) / 1e9;

    /// <summary>Runs a profile to its end.</summary>
    public static VirtualUpload Run(ProbeProfile profile, SenderTraits traits, long oneWayNanos = 0, ProbeSettings? settings = null, uint iss = 1_000)
    {
        VirtualUpload upload = new(profile, traits, oneWayNanos, settings ?? new ProbeSettings(), iss);
        upload.Run();
        return upload;
    }

    void Run()
    {
        ToProbe(new ProbeSegment { Flags = TcpFlags.Syn, Seq = _iss, Mss = Smss, WindowScale = 7, SackPermitted = true });
        while (_receiver.End is null && _now - Start < LimitNanos && Advance())
        {
            Step();
        }
    }

    bool Advance()
    {
        TraceTime next = Earlier(_receiver.NextTimer, Sender?.NextTimer ?? TraceTime.Latest);
        next = Earlier(next, _toProbe.TryPeek(out (TraceTime Due, ProbeSegment Segment) one) ? one.Due : TraceTime.Latest);
        next = Earlier(next, _toSender.TryPeek(out (TraceTime Due, ProbeSegment Segment) other) ? other.Due : TraceTime.Latest);
        _now = next > _now && next < TraceTime.Latest ? next : _now;
        return next < TraceTime.Latest;
    }

    void Step()
    {
        while (_toProbe.TryPeek(out (TraceTime Due, ProbeSegment Segment) data) && data.Due <= _now)
        {
            _receiver.OnSegment(_toProbe.Dequeue().Segment, _now);
        }

        while (_receiver.TrySend(_now, out ProbeSegment segment))
        {
            _toSender.Enqueue((_now + _oneWayNanos, segment));
        }

        while (_toSender.TryPeek(out (TraceTime Due, ProbeSegment Segment) ack) && ack.Due <= _now)
        {
            OnAck(_toSender.Dequeue().Segment);
            SendAll();
        }

        if (Sender is { } sender && sender.NextTimer <= _now)
        {
            if (sender.OnTimer(_now, 0, out OutgoingSegment probe))
            {
                Send(probe);
            }

            SendAll();
        }
    }

    void OnAck(in ProbeSegment segment)
    {
        if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            Sender = new Sender(_traits, Smss, _iss + 1, segment.Window);
            Sender.OnHandshakeRtt(_now, _now - Start);
            Sender.OnWritten(int.MaxValue / 2);
            _peer = segment.Seq + 1;
            ToProbe(new ProbeSegment { Flags = TcpFlags.Ack, Seq = _iss + 1, Ack = _peer });
            return;
        }

        AckArrival ack = new() { Now = _now, Una = segment.Ack, Window = segment.Window };
        for (int i = 0; i < segment.BlockCount; i++)
        {
            ack.Add(segment[i]);
        }

        Sender?.OnAckReceived(ack);
    }

    void SendAll()
    {
        while (Sender!.TrySend(_now, 0, out OutgoingSegment segment))
        {
            Send(segment);
        }
    }

    void Send(in OutgoingSegment segment) =>
        ToProbe(new ProbeSegment { Flags = TcpFlags.Ack, Seq = segment.Seq, Length = segment.Length, Ack = _peer });

    void ToProbe(in ProbeSegment segment) => _toProbe.Enqueue((_now + _oneWayNanos, segment));

    static TraceTime Earlier(TraceTime one, TraceTime other) => one < other ? one : other;
}
