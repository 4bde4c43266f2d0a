using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>What stands out in a direction while its connection is open. Allocated when something first does.</summary>
struct PatternState
{
    /// <summary>Where it stood out.</summary>
    public OpenPositions Positions;

    /// <summary>The time the receive window was zero.</summary>
    public ZeroWindowTimer ZeroWindow;

    /// <summary>Retransmissions that are answered by duplicate acknowledgments.</summary>
    public PingPongRun PingPong;

    /// <summary>Marks of congestion.</summary>
    public EcnCounts Ecn;

    /// <summary>What is merely counted.</summary>
    public PatternCounts Counts;

    /// <summary>What this end has repeated since it last heard from the other.</summary>
    public UnansweredRun Unanswered;

    /// <summary>What losses have in common; none while nothing was sent again.</summary>
    public LossWatch Losses;

    /// <summary>What waits have in common; none while none may be of interest.</summary>
    public Pooled<WaitPatterns> Waits;

    /// <summary>Whether something goes on that ordinary segments end or count for; after a FIN, that is whatever the other end still sends.</summary>
    public readonly bool IsOpen => PingPong.IsRunning || ZeroWindow.IsRunning || Unanswered.IsAny || Positions.Has(PositionKind.Fin)
        || Losses.IsOpen || (Waits.IsAny && Waits.Value.IsOpen);
}

/// <summary>What one end has sent again, and its keep-alives, since the other was last heard.</summary>
struct UnansweredRun
{
    int _resent;
    int _keepAlives;
    bool _hasData;
    TracePosition _first;
    TracePosition _last;

    /// <summary>Whether there is anything.</summary>
    public readonly bool IsAny => _resent + _keepAlives > 0;

    /// <summary>Takes in a retransmission or a keep-alive.</summary>
    public void Add(in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        bool isKeepAlive = segment.Sent.Kind == SentKind.KeepAlive;
        _hasData |= !isKeepAlive && segment.Length > ((segment.Flags & TcpFlags.Fin) != 0 ? 1 : 0);
        _first = IsAny ? _first : position;
        _last = position;
        _resent += isKeepAlive ? 0 : 1;
        _keepAlives += isKeepAlive ? 1 : 0;
    }

    /// <summary>What got no answer to the end.</summary>
    /// <returns>Null when nothing is open.</returns>
    public readonly UnansweredSummary? Summarise() => IsAny ? new(_resent, _keepAlives, _hasData, _first, _last) : null;
}

/// <summary>What stands out by its number.</summary>
struct PatternCounts
{
    /// <summary>Payload bytes this end sent after the other end's FIN.</summary>
    public long BytesAfterPeerFin;

    /// <summary>Data segments of this end that came a second time without being sent again.</summary>
    public int Copies;

    /// <summary>Resets of this end.</summary>
    public int Resets;

    /// <summary>Duplicate acknowledgments that came back without SACK blocks.</summary>
    public int DuplicateAcksWithoutSack;

    /// <summary>The smallest packet that the network reported as too big for its next link, bytes it would take; 0 when it reported none.</summary>
    public int TooBigMtu;

    /// <summary>What its first reset broke off.</summary>
    public BreakOff BreakOff;
}

/// <summary>
/// How long a receive window was zero, and for how much of that time data waited: the window was probed, or data followed its opening at once.
/// </summary>
struct ZeroWindowTimer
{
    TraceTime _since; // while it is zero
    long _totalNanos;
    long _waitedNanos;
    long _undecidedNanos; // the time before the latest opening, until the next data shows whether it waited
    bool _isProbed;

    /// <summary>Whether the latest window is zero.</summary>
    public bool IsZero { get; private set; }

    /// <summary>Whether data that is sent now may have waited for the latest opening.</summary>
    public readonly bool MayHaveWaited => _undecidedNanos > 0;

    /// <summary>Whether a segment may change anything.</summary>
    public readonly bool IsRunning => IsZero || MayHaveWaited;

    public void OnZero(TraceTime now)
    {
        _since = now;
        IsZero = true;
    }

    public void OnProbe() => _isProbed |= IsZero;

    public void OnOpened(TraceTime now)
    {
        long zero = now > _since ? now - _since : 0;
        _totalNanos += zero;
        _waitedNanos += _isProbed ? zero : 0;
        _undecidedNanos = _isProbed ? 0 : zero;
        IsZero = false;
        _isProbed = false;
    }

    public void OnData(bool hasWaited)
    {
        _waitedNanos += hasWaited ? _undecidedNanos : 0;
        _undecidedNanos = 0;
    }

    /// <summary>Time the window was zero by an instant, and the part of it in which data waited, nanoseconds.</summary>
    public readonly (long Zero, long Waited) TotalBy(TraceTime now)
    {
        long open = IsZero && now > _since ? now - _since : 0;
        return (_totalNanos + open, _waitedNanos + (_isProbed ? open : 0));
    }
}

/// <summary>Runs of retransmissions of the same data, each answered by a duplicate acknowledgment.</summary>
struct PingPongRun
{
    SequenceNumber _end; // behind the highest data of the run
    bool _isUnanswered;

    /// <summary>Retransmissions of the present run that were answered.</summary>
    public int Count { get; private set; }

    /// <summary>The longest run.</summary>
    public int Longest { get; private set; }

    /// <summary>Whether an acknowledgment or new data may change anything.</summary>
    public readonly bool IsRunning => _isUnanswered || Count > 0;

    /// <summary>Takes in a retransmission; true when it may begin a run.</summary>
    public bool OnRetransmission(SequenceNumber start, SequenceNumber end)
    {
        if (Count > 0 && start >= _end)
        {
            End(); // the next data, not the same again
        }

        _end = Count == 0 || end > _end ? end : _end;
        _isUnanswered = true;
        return Count == 0;
    }

    /// <summary>Takes in a duplicate acknowledgment; true when it makes the present run the longest.</summary>
    public bool TryAnswer()
    {
        if (!_isUnanswered)
        {
            return false;
        }

        _isUnanswered = false;
        Count++;
        if (Count <= Longest)
        {
            return false;
        }

        Longest = Count;
        return true;
    }

    /// <summary>New data, or an acknowledgment of what was outstanding, ends the run.</summary>
    public void End()
    {
        Count = 0;
        _isUnanswered = false;
    }
}
