using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Delivery;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// What limits the sender of one end's data, while the connection is open. Instants are the sender's: what passes the capture point is moved there
/// first (<see cref="CapturePath"/>). Everything up to the latest burst is divided by state. What it does with events is in SenderTimeline.cs,
/// what it makes of the time between two bursts in IntervalClassifier.cs and Answer.cs.
/// </summary>
partial struct SenderLimits
{
    LimitTimeline _timeline;
    TraceTime _since; // begin of the interval not judged yet: the first segment of the latest burst, or the end of a recovery
    TraceTime _lastSend; // latest segment with data
    TraceTime _lastEvent; // latest segment with data, or acknowledgment
    TraceTime _released; // when something last let data go: pacing stretches a burst over a round trip at most
    TraceTime _drained; // when nothing was in flight any more; valid while nothing is
    TraceTime _resentUnheard; // when data was last sent again of which all had been acknowledged, seen from afar; counts while later than the latest new data
    SequenceNumber _una; // SND.UNA, as the sender knows it
    SequenceNumber _max; // SND.MAX
    WindowEdge _window;
    AckClock _clock;
    RecoveryView _recovery;
    StackReports _stack;
    int _mss; // payload of a full segment, bytes
    int _peak; // in flight after the latest burst, bytes
    int _latestPayload; // bytes; kept while the MSS is not known
    bool _isMssKnown; // from the handshake
    bool _isMssShown; // by segments: the largest are full
    bool _isMssCut; // the path takes smaller segments than the SYNs agreed on
    bool _hasFullResent;
    SequenceNumber _fullResent; // where the latest retransmission of a full segment began; valid with the flag before
    bool _hasBegun; // data has been sent
    bool _endedFull; // the latest segment was full: it may not be the end of a write
    bool _isEmptied; // the latest burst ended full, but all that was written had been sent with it
    bool _isBehindLoss; // seen from afar: data is missing before the burst that comes, which the latest may have ended with
    bool _isUnheard; // seen from afar: acknowledgments had been lost on their way when it last sent
    byte _answerHabit; // how often of late what was left of a burst that ended full came right after an acknowledgment: up by one each time, halved when not
    OpenState _heldBy; // what held the sender back up to the latest burst; Application when nothing did
    int _samples; // intervals judged
    long _uncertainNanos; // seen from afar: time in which data came all the time, or behind a burst of which not all came
    bool _isCopy; // what is pooled belongs to the connection, which goes on
    uint _minRttNanos; // smallest sample, at most 4.2 s; 0 before any. One far below SRTT must be followed by two more: a packet that overtakes others is one
    uint _latestRttNanos;
    uint _earlierRttNanos;
    int _burstRoom; // in flight up to which more of the latest burst only adds to it, bytes; 0 when each segment is looked at (SenderBurst.cs)
    RttEstimator _rtt;
    BlockedWriter _writer;
    WriterClock _writerClock;
    Pooled<WriterPortions> _portions; // none as long as nothing looks like a blocked writer
    NagleWatch _nagle;
    PacingDetector _run;
    SendBufferDetector _level;
    ReassemblyDetector _stale;

    /// <summary>The path between the capture point and the sender.</summary>
    public CapturePath Path;

    /// <summary>Whether the round trip grows with what is in flight.</summary>
    public RttLoad Load;

    /// <summary>Whether data follows acknowledgments as at the sender.</summary>
    public AckPhase Phase;

    /// <summary>Whether data ends silences as at the sender.</summary>
    public QuietAnswers Quiet;

    /// <summary>How fast the path delivers; none as long as only single segments were in flight.</summary>
    public Pooled<DeliveryRate> Rate;

    /// <summary>How slow start ended; none as long as only single segments were in flight, and away from the sender.</summary>
    public Pooled<SlowStartWatch> Start;

    /// <summary>When data was sent; none unless slow start is watched, and after its end.</summary>
    public Pooled<SendMarks> Marks;

    /// <summary>How long it took to answer.</summary>
    public AnswerWaits Waits;

    /// <summary>Bytes in flight.</summary>
    public readonly int InFlight
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _max - _una;
    }

    /// <summary>SND.UNA, as the sender knows it.</summary>
    public readonly SequenceNumber SndUna => _una;

    /// <summary>SND.MAX.</summary>
    public readonly SequenceNumber SndMax => _max;

    /// <summary>Whether a right edge of the receive window is known.</summary>
    public readonly bool HasEdge => _window.IsKnown;

    /// <summary>When a receive window that was full after the latest send had room again; null where it was not full, or is so still.</summary>
    public readonly TraceTime? WindowOpened => _window.HasOpened ? _window.Opened : null;

    /// <summary>When an acknowledgment last let the sender send more.</summary>
    public readonly TraceTime LastAck => _clock.Last;

    /// <summary>When data was last sent.</summary>
    public readonly TraceTime LastSend => _lastSend;

    /// <summary>When data was last sent, or an acknowledgment heard.</summary>
    public readonly TraceTime LastEvent => _lastEvent;

    /// <summary>Whether data was sent since the latest acknowledgment with news.</summary>
    public readonly bool HasSentSinceAck => !_clock.IsTicked;

    /// <summary>SRTT (RFC 6298), nanoseconds; 0 before a sample.</summary>
    public readonly long SrttNanos => _rtt.SrttNanos;

    /// <summary>The smallest round trip so far, nanoseconds, at most 4.2 s; 0 before a sample.</summary>
    public readonly uint MinRttNanos => _minRttNanos;

    /// <summary>Payload of a full segment, bytes.</summary>
    public readonly int Mss => _mss;

    /// <summary>Whether something else than what is in flight holds the sender: the receive window, the program, or pacing.</summary>
    public readonly bool IsHeldElsewhere => IsWindowFull || _heldBy is OpenState.Application or OpenState.Idle or OpenState.Pacing;

    /// <summary>Whether a loss is being recovered.</summary>
    public readonly bool IsRecovering => _recovery.IsOn;

    /// <summary>Whether the retransmission timer expired, and what was sent by then is not acknowledged yet.</summary>
    public readonly bool IsAfterTimeout => _recovery.IsOn && _recovery.IsAfterTimeout;

    /// <summary>
    /// Whether something is in flight by what is known, and yet the retransmission timer did not expire for much longer than it takes: it has been acknowledged
    /// unseen. Once the timer has expired it backs off.
    /// </summary>
    public readonly bool HasMissedAck(TraceTime now) =>
        InFlight > 0 && !IsWindowFull && now - _lastEvent > (IsAfterTimeout ? RtoLimits.Linux.MaxNanos : Thresholds.MaxRtos * _rtt.RtoNanos(RtoLimits.Linux));

    /// <summary>Whether the sender waits for the peer: for an acknowledgment, or with data left, if that is reported, for a window that is full.</summary>
    public readonly bool IsWaiting(TraceTime now) =>
        IsWindowFull ? InFlight > 0 || (!_window.HasOpened && _stack.Unsent != 0) : InFlight > 0 && !HasMissedAck(now);

    /// <summary>Intervals judged.</summary>
    public readonly int Samples => _samples;

    /// <summary>Part of the congestion window's time that could as well be pacing's or a send buffer's, or the receive window's behind what was lost.</summary>
    public readonly long UncertainNanos => _uncertainNanos + (SendBufferBytes is null ? 0 : _level.DoubtfulNanos);

    /// <summary>
    /// Part of the send buffer's time that could as well be the application's: pauses that were taken for a writer woken late; all of it where data came at
    /// even distances, and the capture is not known to have been taken at the sender.
    /// </summary>
    public readonly long DoubtfulBufferNanos => !Path.IsAtSender && _writerClock.IsEven ? long.MaxValue : _writer.LateNanos;

    /// <summary>The congestion window as packets show it; null when it never filled.</summary>
    public readonly CwndSummary? Cwnd => _level.Samples == 0 ? null : new(_level.MaxCwnd, _level.MinCwnd, Evidence.Packets, _level.Samples);

    /// <summary>
    /// What is in flight when the send buffer is full, bytes; null when that is not known. A writer is woken when a third of the buffer is free: where it
    /// waited with less in flight, the level that bursts kept is the buffer's.
    /// </summary>
    public readonly int? SendBufferBytes
    {
        get
        {
            (int level, int kept) = (_writer.Level, _level.BufferLevel);
            return level > 0 && 3 * level >= 2 * kept ? level : kept > 0 ? kept : null;
        }
    }

    /// <summary>
    /// Whether data comes all the time, as seen from afar: of a round trip of it, some was clocked by acknowledgments. What holds its amount does not show
    /// there.
    /// </summary>
    public readonly bool IsFlowing(TraceTime now) => Path.IsAway && now - _lastSend <= Path.DelayNanos / 4;

    /// <summary>Begins with the first data.</summary>
    /// <param name="time">When it was sent.</param>
    /// <param name="una">SND.UNA.</param>
    /// <param name="start">Its first byte.</param>
    public void Begin(TraceTime time, SequenceNumber una, SequenceNumber start)
    {
        _since = _lastSend = _lastEvent = _drained = _resentUnheard = time;
        _una = una;
        _max = start;
        _stack.Begin();
    }

    /// <summary>Begins to divide time.</summary>
    /// <param name="packet">Number of the frame with the first data.</param>
    /// <param name="extras">Where it takes what few senders need; kept by whoever keeps the sender.</param>
    /// <param name="chart">Records the intervals for charts; the default for none.</param>
    public void BeginTimeline(long packet, SenderExtras extras, IntervalChart chart = default) => _timeline.Begin(packet, extras, chart);

    /// <summary>Takes in that the capture began during the connection.</summary>
    public void BeginLate() => _level.BeginLate();

    /// <summary>Takes in where the capture was taken, once the path is known.</summary>
    public void Place(long delayNanos)
    {
        Path.Place(delayNanos);
        _level.Begin(Path.IsAway);
    }

    /// <summary>Takes in that the sender's stack is recorded beside its packets, where nothing else has shown where the capture was taken.</summary>
    public void PlaceHere()
    {
        if (!Path.IsKnown)
        {
            Path.PlaceHere();
            _isMssShown = false; // by what a link may have put apart
            _level.Begin(isAway: false);
        }
    }

    /// <summary>
    /// Takes in where the capture was taken, which showed during the connection: what came before was judged as at the sender, and begins anew elsewhere.
    /// </summary>
    /// <param name="delayNanos">Delay from the capture point to the sender and back; 0 at the sender.</param>
    /// <param name="time">When it showed.</param>
    public void PlaceLate(int delayNanos, TraceTime time)
    {
        if (delayNanos > 0)
        {
            uint toReceiver = _minRttNanos; // what samples showed so far
            OnGap(_max, time);
            _timeline.Forget();
            _rtt = default;
            _minRttNanos = _latestRttNanos = _earlierRttNanos = 0;
            OnRtt(delayNanos + toReceiver);
            _heldBy = OpenState.Application;
            _answerHabit = 0;
            _uncertainNanos = _samples = 0;
            _writer = default;
            (_writerClock, _nagle) = (default, default);
            ReturnPortions();
            BeginLevel();
            if (Rate.IsAny)
            {
                ReturnRates();
                Rate.Value = default;
            }
        }

        Place(delayNanos);
    }

    /// <summary>
    /// Takes in that the scale of the receive window has shown, by how full it was: what looked like a send buffer up to now may have been that window.
    /// </summary>
    /// <param name="end">The end whose data filled it.</param>
    public static void OnScaleShown(in EndState end)
    {
        if (end.Limits.IsAny)
        {
            end.Limits.As<SenderLimits>().Value.OnScaleShown();
        }
    }

    /// <summary>Takes in the size of segments.</summary>
    /// <param name="sizes">Sizes of the end's segments.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSizes(in SegmentSizes sizes)
    {
        if (_isMssCut)
        {
            return;
        }

        if (sizes.Mss > 0)
        {
            _isMssKnown = true;
            _mss = sizes.Mss;
        }
        else
        {
            int largest = sizes.MaxPayload > 0 ? sizes.MaxPayload : SegmentSizes.EthernetPayload;
            if (!_isMssShown || sizes.IsOffloaded || largest >= 2 * _mss)
            {
                _isMssShown &= largest == _mss;
                _mss = largest;
            }
        }
    }

    /// <summary>Takes in the number of the frame that is being read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPacket(long number) => _timeline.OnPacket(number);

    /// <summary>Takes in a whole round trip, nanoseconds.</summary>
    /// <returns>The same, at most 4.2 s.</returns>
    public uint OnRtt(long nanos)
    {
        uint sample = (uint)Math.Min(nanos, uint.MaxValue);
        bool isDoubtful = sample + DelayIncrease.RttThreshNanos(sample) <= _rtt.SrttNanos;
        uint shown = isDoubtful ? Math.Max(sample, Math.Max(_latestRttNanos, _earlierRttNanos)) : sample;
        _minRttNanos = _minRttNanos == 0 ? sample : Math.Min(_minRttNanos, shown);
        (_earlierRttNanos, _latestRttNanos) = (_latestRttNanos, sample);
        _rtt.OnSample(nanos);
        return sample;
    }

    /// <summary>Takes in a receive window that is known before any acknowledgment arrives.</summary>
    public void OnWindow(int bytes) => _window.Set(_una + bytes, _una, _max);

    /// <summary>Takes in an acknowledgment without news.</summary>
    public void OnStaleSack(TraceTime time) => _stale.Add(time);

    /// <summary>Takes in that the stack itself reports a full reassembly queue.</summary>
    public void OnSackLimit(TraceTime time) => _stale.AddKnown(time);

    /// <summary>Takes in the size of a segment that the stack reports, bytes.</summary>
    public void OnReportedSize(int bytes) => (_mss, _isMssShown) = (Math.Max(_mss, bytes), true);

    /// <summary>Takes in the congestion window that the stack reports, bytes.</summary>
    public void OnReportedCwnd(int bytes) => _stack.Cwnd = bytes;

    /// <summary>Takes in what the stack reports with a burst of new data.</summary>
    public void OnReportedBurst() => _stack.PeakCwnd = _stack.Cwnd;

    /// <summary>Takes in what is posted and not sent yet, bytes; negative when that is not reported.</summary>
    public void OnReportedUnsent(long bytes) => _stack.Unsent = bytes;

    /// <summary>Makes this independent of what it was copied from, until it is released; it records no charts.</summary>
    public void Detach()
    {
        _timeline.Detach();
        _isCopy = true;
    }

    /// <summary>Gives back what was taken beyond its own state.</summary>
    public void Release()
    {
        ReturnRates();
        ReturnPortions();
        _timeline.Release();
    }

    /// <summary>The longest time in each state that took a good part of the time.</summary>
    public readonly LimitSpan[] SpansOf(in LimitTimes times)
    {
        Span<LimitSpan> spans = stackalloc LimitSpan[LimitTimes.States];
        int count = 0;
        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            long time = times.In(state);
            bool isLong = time > 0 && (time >= times.Total / Thresholds.MinSpanParts || time >= Thresholds.MinSpanNanos);
            if (isLong && _timeline.Longest(state) is { FirstPacket: > 0 } span)
            {
                spans[count++] = span;
            }
        }

        return spans[..count].ToArray();
    }

    void OnScaleShown()
    {
        EndRun();
        _timeline.Decide(OpenState.SendBuffer, OpenState.NotJudged);
        _timeline.Decide(OpenState.WriterOrChance, OpenState.NotJudged);
        _timeline.Decide(OpenState.LateWriter, OpenState.NotJudged);
        _timeline.Decide(OpenState.AfterPortion, OpenState.NotJudged);
        _timeline.Decide(OpenState.FullFlight, OpenState.NotJudged);
        _timeline.Decide(OpenState.SlowStartTop, OpenState.NotJudged);
        _heldBy = OpenState.Application;
        _answerHabit = 0;
        _writer = default;
        ReturnPortions();
        BeginLevel();
    }

    void BeginLevel()
    {
        _level = default;
        _level.Begin(Path.IsAway);
        _level.BeginLate();
    }

    // A segment, or as large as writes that jumbo frames hold whole. What is the largest so far may be a small write as long as nothing shows the MSS.
    readonly bool IsFull(int length) => length >= Math.Min(_isMssKnown || _isMssShown ? _mss : Thresholds.UsualMss, Thresholds.FullSegmentBytes);

    // Whether a burst that ends with a segment, which may be offloaded, ends with a full wire segment: else nothing was left to be sent (RFC 9293 §3.8.6.2.1).
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    readonly bool EndsFull(int length) => IsFull(length) && (_isMssKnown ? length <= _mss || length % _mss == 0 : _isMssShown);

    // Room below which the receive window is full, bytes: a segment; seen from afar some more that were under way, unless echoed timestamps show which
    // acknowledgments the sender had.
    readonly int MinRoom
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Path.IsAway && !Path.HasEchoes ? Math.Max(4 * _mss, _window.Bytes / 8) : _window.MinRoom(_mss);
    }

    // Where the latest send ended with less than a full segment although there was room, it had no more to send: else it would have kept that until a full
    // segment fits (RFC 9293 §3.8.6.2.1). Seen from afar, that room may not have been there yet.
    readonly bool IsWindowFull
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _window.IsKnown && _window.Room < MinRoom && (_window.Room <= 0 || Path.IsAway || _endedFull);
    }

    // Data was left to be sent after the latest burst: only what ends the data ends with less than a full segment (RFC 9293 §3.8.6.2.1).
    readonly bool HasLeft => _endedFull && !_isEmptied;

    // In flight when all that was written had been sent, bytes; 0 when the burst ended full all the same: a program's data seldom ends there, but what a full
    // send buffer takes of it does, and how full that was does not show once a part had been acknowledged.
    readonly int Fill => _endedFull ? 0 : _peak;

    // Nothing has been sent and heard for as long as a timer takes: a probe comes after two round trips (RFC 8985 §7.2), a timeout after one and the least
    // RTO; a reordering timer takes one at most. An eighth is for what is not known so well.
    readonly bool IsSilent(TraceTime now)
    {
        long timer = _rtt.SrttNanos + Math.Min(_rtt.SrttNanos, Thresholds.MinRtoNanos);
        return timer > 0 && now - _lastEvent >= timer - (timer / 8);
    }

    static TraceTime Later(TraceTime one, TraceTime other) => one > other ? one : other;
}

/// <summary>The recovery that goes on, and the gap in the capture that does.</summary>
struct RecoveryView
{
    SequenceNumber _gapEnd;

    /// <summary>Whether something was resent, or the congestion window cut, and the recovery point is not acknowledged yet.</summary>
    public bool IsOn { get; private set; }

    /// <summary>Where the recovery ends; valid while <see cref="IsOn"/>.</summary>
    public SequenceNumber Point { get; private set; }

    /// <summary>Whether it began when the retransmission timer expired; valid while <see cref="IsOn"/>.</summary>
    public bool IsAfterTimeout { get; private set; }

    /// <summary>Whether part of the traffic was not captured, and nothing sent after it is acknowledged: what is in flight is not known.</summary>
    public bool IsBlind { get; private set; }

    /// <summary>Begins a recovery.</summary>
    public void Begin(SequenceNumber point)
    {
        IsOn = true;
        IsAfterTimeout = false;
        Point = point;
    }

    /// <summary>Takes in that the retransmission timer began the recovery.</summary>
    public void OnTimeout() => IsAfterTimeout = true;

    /// <summary>Moves the recovery point.</summary>
    public void MoveTo(SequenceNumber point) => Point = point;

    /// <summary>Ends the recovery.</summary>
    public void End() => IsOn = false;

    /// <summary>Takes in a gap in the capture.</summary>
    public void OnGap(SequenceNumber end)
    {
        IsBlind = true;
        _gapEnd = end;
    }

    /// <summary>Takes in that data is sent while blind.</summary>
    public void OnSentBlind(SequenceNumber una) => IsBlind = una <= _gapEnd;
}

/// <summary>What the sender's stack itself reports; nothing is estimated then.</summary>
struct StackReports
{
    /// <summary>The congestion window, bytes; 0 when it is not reported.</summary>
    public int Cwnd;

    /// <summary>The congestion window at the latest burst, bytes; 0 when it is not reported.</summary>
    public int PeakCwnd;

    /// <summary>Bytes posted to be sent and not sent yet; negative when that is not reported.</summary>
    public long Unsent;

    /// <summary>Whether acknowledgments are answered with the window not full and nothing left to be sent: the send buffer is full.</summary>
    public bool IsBuffered;

    /// <summary>Begins with nothing reported.</summary>
    public void Begin() => Unsent = -1;
}
