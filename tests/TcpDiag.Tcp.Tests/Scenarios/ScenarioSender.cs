using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Runtime.InteropServices;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Scenarios;

/// <summary>
/// A sender of numbered segments of 1,000 bytes with RACK-TLP: what a scoreboard has to do around the types under test, and nothing else. Segment 1
/// starts at a sequence number of the test's choice. The caller sets the time.
/// </summary>
sealed class ScenarioSender(uint firstSequence)
{
    const int SegmentBytes = 1_000;

    static readonly RtoLimits Limits = new(0, 60 * Second, 1 * Ms);

    readonly SequenceNumber _start = new(firstSequence);
    readonly List<RackSegment> _outstanding = []; // neither acknowledged nor SACKed, by sequence
    readonly HashSet<int> _sacked = []; // numbers above Una
    RackState _rack;
    ReorderingWindow _window;
    TailLossProbe _tlp;
    RttEstimator _rtt;
    MinRttFilter _minRtt;
    SequenceNumber? _recoveryPoint;
    TraceTime _now;
    TraceTime _rtoStart;
    int _una = 1;
    int _next = 1;

    /// <summary>Numbers of the segments that count as lost.</summary>
    public IEnumerable<int> Lost => _outstanding.Where(segment => segment.IsLost).Select(NumberOf);

    public int Reductions { get; private set; }

    public TlpOutcome LastTlpOutcome { get; private set; }

    public bool ReorderingSeen => _rack.ReorderingSeen;

    public int ReoWndMult => _window.ReoWndMult;

    public int ReoWndPersist => _window.ReoWndPersist;

    public long ReoWndNanos =>
        ReorderingWindow.ReoWndNanos(_window.ReoWndMult, _minRtt.MinRttNanos, _rtt.SrttNanos, _rack.ReorderingSeen, InRecovery, _sacked.Count);

    public bool InRecovery => _recoveryPoint is not null;

    public bool MayProbe => _tlp.MaySend();

    public long MaxAckDelayNanos { get; set; }

    /// <summary>The one timer and when it fires: <c>reo 60</c>, <c>pto 60</c>, <c>rto 120</c> in ms, or <c>none</c>.</summary>
    public string Timer
    {
        get
        {
            RackSegment[] copy = [.. _outstanding];
            long reo = _rack.DetectLosses(copy, _now, ReoWndNanos);
            if (reo > 0)
            {
                return Text("reo", (_now.Nanoseconds + reo) / Ms);
            }

            if (_outstanding.Count == 0)
            {
                return "none";
            }

            long rtoAt = _rtoStart.Nanoseconds + _rtt.RtoNanos(Limits);
            bool isPto = TailLossProbe.MayArm(InRecovery, _sacked.Count) && MayProbe;
            long pto = TailLossProbe.PtoNanos(_rtt.SrttNanos, _next - _una == 1, MaxAckDelayNanos, rtoAt - _now.Nanoseconds);
            return isPto ? Text("pto", (_now.Nanoseconds + pto) / Ms) : Text("rto", rtoAt / Ms);
        }
    }

    SequenceNumber SndNxt => Begin(_next);

    public void OnRttSample(long rttNanos)
    {
        _rtt.OnSample(rttNanos);
        _minRtt.OnSample(_now, rttNanos);
        _tlp.OnRttSample();
    }

    public void At(long ns) => _now = new TraceTime(ns);

    /// <summary>Sends a new segment, or resends an old one.</summary>
    public void Send(int number)
    {
        _rtoStart = _outstanding.Count == 0 ? _now : _rtoStart; // RFC 6298 (5.1)
        int index = _outstanding.FindIndex(segment => NumberOf(segment) == number);
        RackSegment sent = new() { Seq = Begin(number), EndSeq = Begin(number + 1), XmitTime = _now, Tsval = Tsval(), IsRetransmitted = index >= 0 };
        if (index >= 0)
        {
            _outstanding[index] = sent;
            return;
        }

        _outstanding.Add(sent);
        _next = Math.Max(_next, number + 1);
    }

    public void Probe(int number)
    {
        bool isRetransmission = number < _next;
        Send(number);
        _rtoStart = _now; // RFC 8985 §7.3
        _tlp.OnProbeSent(SndNxt, isRetransmission);
    }

    /// <summary>
    /// Takes an acknowledgment: everything below <paramref name="next"/>, the SACKed numbers, the DSACKed one, and the time whose sending is echoed.
    /// </summary>
    public void Ack(int next, int[] sacked, int? dsack, long? echoMs)
    {
        _rtoStart = next > _una ? _now : _rtoStart; // RFC 6298 (5.3)
        RackSegment[] delivered = Deliver(next, sacked);
        if (delivered is [.., { IsRetransmitted: false } newest])
        {
            OnRttSample(_now - newest.XmitTime);
        }

        bool isDuplicateWithoutSack = delivered.Length == 0 && sacked.Length == 0 && dsack is null;
        LastTlpOutcome = _tlp.OnAckReceived(Begin(next), dsack is { } end ? Begin(end + 1) : null, isDuplicateWithoutSack);
        Reductions += LastTlpOutcome == TlpOutcome.RepairedLoss ? 1 : 0;
        _rack.OnAckReceived(delivered, _now, _minRtt.MinRttNanos, (uint?)echoMs);
        bool exits = _recoveryPoint is { } point && Begin(_una) >= point;
        _recoveryPoint = exits ? null : _recoveryPoint;
        _window.OnAckReceived(Begin(_una), SndNxt, dsack is not null, exits);
        DetectLosses();
    }

    /// <summary>Time has passed: the reordering timer.</summary>
    public void DetectLosses()
    {
        Span<RackSegment> outstanding = CollectionsMarshal.AsSpan(_outstanding);
        _rack.DetectLosses(outstanding, _now, ReoWndNanos);
        if (Lost.Any() && !InRecovery)
        {
            EnterRecovery();
        }
    }

    /// <summary>The retransmission timer expired.</summary>
    public void Timeout()
    {
        _rtoStart = _now; // RFC 6298 (5.6)
        _rtt.OnTimeout();
        EnterRecovery();
        _rack.MarkLossesOnTimeout(CollectionsMarshal.AsSpan(_outstanding), Begin(_una), _now, ReoWndNanos);
    }

    void EnterRecovery()
    {
        Reductions++;
        _recoveryPoint = SndNxt;
        _tlp = default;
    }

    // What the acknowledgment newly delivers, in ascending order.
    RackSegment[] Deliver(int next, int[] sacked)
    {
        RackSegment[] delivered = [.. _outstanding.Where(segment => NumberOf(segment) < next || sacked.Contains(NumberOf(segment)))];
        _outstanding.RemoveAll(segment => NumberOf(segment) < next || sacked.Contains(NumberOf(segment)));
        _una = Math.Max(_una, next);
        _sacked.UnionWith(sacked);
        _sacked.RemoveWhere(number => number < _una);
        return delivered;
    }

    // Timestamps tick in ms, as common stacks have it.
    uint Tsval() => (uint)(_now.Nanoseconds / Ms);

    SequenceNumber Begin(int number) => _start + ((number - 1) * SegmentBytes);

    int NumberOf(RackSegment segment) => ((segment.Seq - _start) / SegmentBytes) + 1;

    static string Text(string name, long ms) => string.Create(CultureInfo.InvariantCulture, $"{name} {ms}");
}
