using System.Collections.Generic;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>
/// A sender on a clock that starts at 0, in segments of 1000 bytes that are counted from 0, after a handshake of 100 ms: SRTT and min_RTT 100 ms, RTO 1 s (the
/// floor of RFC 6298), PTO 200 ms. What it sends is text: <c>3</c> is new, <c>3r</c> a retransmission, <c>3p</c> and <c>3t</c> probes of a tail by new and by
/// old data, <c>3w</c> one octet beyond a closed window.
/// </summary>
sealed class Timeline
{
    public const int Smss = 1000;
    public const long Ms = 1_000_000;

    /// <summary>Reno from ten segments up, with byte counting and no delay test: numbers that are easy by hand.</summary>
    public static readonly CongestionTraits Reno = new()
    {
        Algorithm = CongestionAlgorithm.Reno,
        Exit = SlowStartExit.LossOnly,
        SlowStartLimitSegments = 1000,
    };

    /// <summary>The RFCs as they stand, with Reno.</summary>
    public static readonly SenderTraits Traits = new() { Congestion = Reno };

    static readonly SequenceNumber First = new(0xFFFF_FFFF - 2_500); // the numbers wrap within the third segment

    readonly List<string> _sent = [];
    readonly int _windowSegments;
    long _nowNanos;
    bool _isHeld;

    public Timeline(SenderTraits? traits = null, int windowSegments = 1000)
    {
        _windowSegments = windowSegments;
        Tcp = new Sender(traits ?? Traits, Smss, First, windowSegments * Smss);
        Tcp.OnHandshakeRtt(Now, 100 * Ms);
    }

    public Sender Tcp { get; }

    TraceTime Now => new(_nowNanos);

    uint TsVal => (uint)(_nowNanos / Ms);

    public static SequenceNumber SeqOf(int segment) => First + (segment * Smss);

    /// <summary>Moves the clock; timers expire on the way.</summary>
    public Timeline At(double ms)
    {
        long until = (long)(ms * Ms);
        while (Tcp.NextTimer <= new TraceTime(until))
        {
            _nowNanos = Tcp.NextTimer.Nanoseconds;
            if (Tcp.OnTimer(Now, TsVal, out OutgoingSegment probe))
            {
                Note(probe);
            }

            SendAll();
        }

        _nowNanos = until;
        return this;
    }

    public Timeline Write(int segments) => WriteBytes(segments * Smss);

    public Timeline WriteBytes(int bytes)
    {
        Tcp.OnWritten(bytes);
        return SendAll();
    }

    /// <summary>An acknowledgment of all before a segment, with SACK blocks (from a segment to the one behind the last) and TSecr in ms.</summary>
    public Timeline Ack(int segment, (int From, int To)[]? sacks = null, uint? ecr = null, bool ece = false, bool isDuplicate = false, int? window = null)
    {
        AckArrival ack = new()
        {
            Now = Now,
            Una = SeqOf(segment),
            Window = window ?? (_windowSegments * Smss),
            HasEcnEcho = ece,
            IsDuplicate = isDuplicate,
            HasTimestamps = ecr is not null,
            TsEcr = ecr ?? 0,
        };
        foreach ((int from, int to) in sacks ?? [])
        {
            ack.Add(new SackBlock(SeqOf(from), SeqOf(to)));
        }

        Tcp.OnAckReceived(ack);
        return SendAll();
    }

    /// <summary>An acknowledgment of nothing but SACK blocks.</summary>
    public Timeline Sack(int segment, params (int From, int To)[] sacks) => Ack(segment, sacks);

    /// <summary>Whether something outside, like pacing, keeps it from sending.</summary>
    public Timeline Hold(bool isHeld)
    {
        _isHeld = isHeld;
        return SendAll();
    }

    /// <summary>What was sent since the last question.</summary>
    public string Sent()
    {
        string sent = string.Join(' ', _sent);
        _sent.Clear();
        return sent;
    }

    /// <summary>When the timer that runs expires, in ms.</summary>
    public double TimerMs => (double)Tcp.NextTimer.Nanoseconds / Ms;

    public double CwndSegments => (double)Tcp.Cwnd / Smss;

    Timeline SendAll()
    {
        while (!_isHeld && Tcp.TrySend(Now, TsVal, out OutgoingSegment segment))
        {
            Note(segment);
        }

        return this;
    }

    void Note(OutgoingSegment segment)
    {
        string kind = segment.Kind switch
        {
            SegmentKind.Retransmission => "r",
            SegmentKind.NewProbe => "p",
            SegmentKind.RetransmittedProbe => "t",
            SegmentKind.WindowProbe => "w",
            _ => string.Empty,
        };
        _sent.Add($"{(segment.Seq - First) / Smss}{kind}");
    }
}

/// <summary>What a test holds: the RFC's rule, the behaviour through the public surface, or a detail that a refactor may delete.</summary>
static class Tier
{
    public const string Name = nameof(Tier);
    public const string Conformance = nameof(Conformance);
    public const string Behaviour = nameof(Behaviour);
    public const string Detail = nameof(Detail);
}
