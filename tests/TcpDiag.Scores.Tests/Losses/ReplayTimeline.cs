using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Losses;
using TcpDiag.Scores.Replays;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Tests.Losses;

/// <summary>
/// A trace made by hand. Segments of 1000 bytes are numbered from 0; times are ms; the handshake took 40 ms, so that min_RTT/4, a step of the reordering
/// window, is 10 ms.
/// </summary>
sealed class ReplayTimeline
{
    const int Bytes = 1_000;
    const long Ms = 1_000_000;

    static readonly SequenceNumber First = new(uint.MaxValue - 2_499); // the third segment crosses 2³²

    readonly LossMeasure _losses = new();
    readonly List<Retransmission> _resent = [];
    long _packet;

    public ReplayTimeline(bool hasSack = true) =>
        Replay = new DirectionReplay(new ReplayOpening(Bytes, First, 1 << 24, hasSack, HasTimestamps: false, At(0), 40 * Ms, 0), [_losses]);

    public DirectionReplay Replay { get; }

    public Fingerprint Fingerprint => Replay.Fingerprint!;

    /// <summary>Sends new segments, all at once.</summary>
    public ReplayTimeline Send(double ms, int from, int to)
    {
        for (int i = from; i <= to; i++)
        {
            Replay.OnSent(Sent(ms, i, SentKind.New, RetransmissionTrigger.Unknown));
        }

        return this;
    }

    /// <summary>Sends a segment again.</summary>
    public ReplayTimeline Resend(double ms, int segment, RetransmissionTrigger trigger = RetransmissionTrigger.Fast)
    {
        Segment sent = Sent(ms, segment, SentKind.Retransmission, trigger);
        Replay.OnSent(sent);
        _resent.Add(new Retransmission
        {
            Start = sent.Start,
            End = sent.Start + Bytes,
            Packet = sent.PacketNumber,
            Time = sent.Time,
            Trigger = trigger,
        });
        return this;
    }

    /// <summary>Acknowledges up to a segment, that excluded, and SACKs ranges of segments, ends included.</summary>
    public ReplayTimeline Ack(double ms, int una, params (int From, int To)[] sacks)
    {
        Segment segment = new() { Time = At(ms), PacketNumber = ++_packet, Flags = TcpFlags.Ack };
        segment.Ack.Number = First + (una * Bytes);
        foreach ((int from, int to) in sacks)
        {
            segment.Ack.Sack.Add(new SackBlock(First + (from * Bytes), First + ((to + 1) * Bytes)));
        }

        Replay.OnAckReceived(segment);
        return this;
    }

    /// <summary>The latest time a segment was sent again is judged; its data arrived at the time that is given.</summary>
    public ReplayTimeline Judge(int segment, RetransmissionNeed need, double ackedMs)
    {
        Retransmission item = _resent.Last(one => one.Start == First + (segment * Bytes));
        item.AckedTime = At(ackedMs);
        item.Marks |= RetransmissionMarks.IsAcked;
        Replay.OnVerdict(item, need);
        return this;
    }

    /// <summary>A component as hits/trials; - when it was not exercised.</summary>
    public string Rate(string id) => Component(id).Rate is { } rate ? $"{rate.Hits}/{rate.Trials}" : "-";

    public ScoreComponent Component(string id)
    {
        List<ScoreComponent> components = [];
        Replay.Measure(slowStart: null, components);
        return components.Single(component => component.Id.Equals(id, StringComparison.Ordinal));
    }

    /// <summary>A packet came early once: reordering was seen, so that the window is open (RFC 8985 §6.2 step 4). Uses segments 0 to 2 and 1 to 42
    /// ms.</summary>
    public ReplayTimeline AfterReordering() => Send(1, 0, 2).Ack(41, 0, (1, 1)).Ack(42, 3);

    static TraceTime At(double ms) => new(1_700_000_000_000_000_000 + (long)(ms * Ms));

    Segment Sent(double ms, int segment, SentKind kind, RetransmissionTrigger trigger)
    {
        Segment sent = new() { Time = At(ms), PacketNumber = ++_packet, Start = First + (segment * Bytes), Length = Bytes, Flags = TcpFlags.Ack };
        sent.Sent.Kind = kind;
        sent.Sent.Trigger = trigger;
        sent.Sent.WireSegments = 1;
        sent.Sent.Retransmitted = kind == SentKind.Retransmission ? (ushort)1 : (ushort)0;
        return sent;
    }
}
