using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Scores.Cards;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Replays;

/// <summary>
/// Follows the connections of a trace, replays a reference over each end that sends data, and makes a card of each when its connection is over.
/// </summary>
/// <param name="measures">Makes what measures a sender.</param>
sealed class ConnectionReplays(Func<IReplayMeasure[]> measures) : ISegmentObserver
{
    // A verdict comes with the acknowledgment of a retransmission, or soon after.
    const int MaxAwaited = 1 << 16;
    const int MaxAwaitedOfOne = 1 << 12;

    const string NoHandshake = "the capture begins after the handshake, or lacks a part of it";

    readonly Dictionary<int, Ends> _open = [];
    readonly Dictionary<long, DirectionReplay> _awaited = [];
    readonly List<Scorecard> _cards = [];

    /// <summary>Cards of the connections that are over.</summary>
    public IReadOnlyList<Scorecard> Cards => _cards;

    /// <inheritdoc/>
    public void OnSegment(ref ConnectionState connection, int from, in Segment segment)
    {
        if (segment.Sent.Kind == SentKind.Foreign || (segment.Flags & (TcpFlags.Syn | TcpFlags.Rst)) != 0)
        {
            return;
        }

        if (!_open.TryGetValue(connection.Index, out Ends? ends))
        {
            _open.Add(connection.Index, ends = new Ends());
        }

        if (segment.Length > 0)
        {
            OnSent(ref connection, from, segment, ends);
        }

        if ((segment.Flags & TcpFlags.Ack) != 0)
        {
            ends.Replays[from ^ 1]?.OnAckReceived(segment);
        }
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        if (_awaited.TryGetValue(item.Packet, out DirectionReplay? replay))
        {
            replay.OnVerdict(item, need);
        }
    }

    /// <inheritdoc/>
    public void OnClosed(ref ConnectionState connection, Connection result)
    {
        if (!_open.Remove(connection.Index, out Ends? ends))
        {
            return;
        }

        for (int from = 0; from < 2; from++)
        {
            if (ends.Replays[from] is { } replay)
            {
                bool isClient = (from == 0 ? connection.Key.Low : connection.Key.High) == result.Client;
                _cards.Add(CardOf(replay, result, isClient));
            }
            else if (ends.Obstacles[from] is { } obstacle)
            {
                bool isClient = (from == 0 ? connection.Key.Low : connection.Key.High) == result.Client;
                _cards.Add(new Scorecard { Connection = result, IsFromClient = isClient, NotScored = obstacle });
            }
        }

        foreach (long packet in ends.Awaited)
        {
            _awaited.Remove(packet);
        }
    }

    void OnSent(ref ConnectionState connection, int from, in Segment segment, Ends ends)
    {
        bool isFinAlone = segment.Length == 1 && (segment.Flags & TcpFlags.Fin) != 0;
        if (ends.Replays[from] is null && ends.Obstacles[from] is null && !isFinAlone)
        {
            Begin(ref connection, from, segment, ends);
        }

        if (ends.Replays[from] is not { } replay)
        {
            return;
        }

        if (segment.Sent.Retransmitted > 0 && _awaited.Count < MaxAwaited && _awaited.TryAdd(segment.PacketNumber, replay))
        {
            ends.Awaited.Enqueue(segment.PacketNumber);
            if (ends.Awaited.Count > MaxAwaitedOfOne)
            {
                _awaited.Remove(ends.Awaited.Dequeue());
            }
        }

        replay.OnSent(segment);
    }

    void Begin(ref ConnectionState connection, int from, in Segment segment, Ends ends)
    {
        ref readonly EndState sender = ref connection.Ends[from];
        bool isKnown = connection.Handshake.IsEstablished && sender.Syn.IsSeen && sender.Send.Sizes.Mss > 0 && sender.Send.Header.Sack != SackUse.Unknown;
        if (!isKnown)
        {
            ends.Obstacles[from] = NoHandshake;
            return;
        }

        ref readonly EndState receiver = ref connection.Ends[from ^ 1];
        long rtt = connection.Handshake.IsAmbiguous ? 0 : connection.Handshake.For(from).ToReceiverNanos;
        int window = receiver.Receive.Window.IsScaleKnown ? receiver.Receive.Window.Bytes : ushort.MaxValue;
        bool hasTimestamps = sender.Send.Header.HasTimestamps && receiver.Send.Header.HasTimestamps;
        ReplayOpening opening = new(
            sender.Send.Sizes.Mss, sender.Syn.Isn + 1, window, sender.Send.Header.Sack == SackUse.On, hasTimestamps, segment.Time, rtt,
            connection.Handshake.SynRetransmissions);
        ends.Replays[from] = new DirectionReplay(opening, measures());
    }

    static Scorecard CardOf(DirectionReplay replay, Connection result, bool isClient)
    {
        List<ScoreComponent> components = [];
        string? obstacle = WhyNotFrom(result.Vantage, isClient) ?? replay.Doubt;
        if (obstacle is null)
        {
            replay.Measure((isClient ? result.FromClient : result.FromServer).SlowStart, components);
        }

        return new Scorecard
        {
            Connection = result,
            IsFromClient = isClient,
            NotScored = obstacle,
            Components = components,
            Fingerprint = obstacle is null ? replay.Fingerprint : null,
            Control = replay.Control,
            Path = obstacle is null ? replay.Path : null,
            Facts = replay.Facts(),
        };
    }

    // What a sender knew when, only a capture at its own end shows.
    static string? WhyNotFrom(Vantage vantage, bool isClient) => (vantage, isClient) switch
    {
        (Vantage.Client, true) or (Vantage.Server, false) => null,
        (Vantage.Client, false) or (Vantage.Server, true) => "the capture was taken at the receiver of this data",
        (Vantage.Middle, _) => "the capture was taken between the ends",
        _ => "the trace does not show where it was taken",
    };

    // What is kept of a connection; by end.
    sealed class Ends
    {
        public DirectionReplay?[] Replays { get; } = new DirectionReplay?[2];

        public string?[] Obstacles { get; } = new string?[2];

        public Queue<long> Awaited { get; } = [];
    }
}
