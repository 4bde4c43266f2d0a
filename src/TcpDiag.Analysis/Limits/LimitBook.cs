using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Books the time of one sender. What is booked is contiguous: each interval begins where the one before ended.</summary>
struct LimitBook
{
    /// <summary>Records the intervals for charts; null when there are none.</summary>
    public LimitRibbon? Ribbon;

    /// <summary>Number of the frame that is being read, from 1.</summary>
    public long Packet;

    PlaceAccounts _accounts;
    LimitPlace _runPlace;
    PlaceAccount.Run _run;
    long _reached; // the frame with which all that is booked ends

    /// <summary>Time in each state, without what waits.</summary>
    public readonly LimitTimes Times
    {
        get
        {
            var times = default(LimitTimes);
            for (int i = 0; i < LimitTimes.States; i++)
            {
                times.Add((LimitState)i, At((LimitPlace)i));
            }

            return times;
        }
    }

    /// <summary>Time booked at a place.</summary>
    /// <param name="place">The place.</param>
    /// <returns>Nanoseconds.</returns>
    public readonly long At(LimitPlace place) => _accounts.TimeAt(place);

    /// <summary>Books an interval.</summary>
    /// <param name="place">Where.</param>
    /// <param name="from">Its beginning.</param>
    /// <param name="to">Its end; nothing is booked unless it is later.</param>
    public void Add(LimitPlace place, TraceTime from, TraceTime to)
    {
        if (to > from)
        {
            ref PlaceAccount account = ref _accounts.Of(place);
            account.Time += to - from;
            ExtendRun(place, from, to);
            account.Longest = PlaceAccount.Run.Longer(account.Longest, _run);
            Ribbon?.Add(place, from, to);
        }
    }

    /// <summary>Decides about all time of a place.</summary>
    /// <param name="from">The place where it waited.</param>
    /// <param name="to">The place where it belongs.</param>
    public void Move(LimitPlace from, LimitPlace to)
    {
        if (_accounts.Has(from))
        {
            PlaceAccount moved = _accounts.Close(from);
            ref PlaceAccount account = ref _accounts.Of(to);
            account.Time += moved.Time;
            account.Longest = PlaceAccount.Run.Longer(account.Longest, moved.Longest);
            _runPlace = _runPlace == from ? to : _runPlace;
            Ribbon?.Move(from, to);
        }
    }

    /// <summary>Begins to book.</summary>
    /// <param name="packet">Number of the frame with which the first interval begins.</param>
    public void Begin(long packet)
    {
        Packet = packet;
        _reached = packet;
    }

    /// <summary>The longest time in a state without interruption.</summary>
    /// <param name="state">The state.</param>
    /// <returns>The time, empty when there was none.</returns>
    public readonly LimitSpan Longest(LimitState state)
    {
        PlaceAccount.Run run = _accounts.LongestAt((LimitPlace)state);
        return new(state, run.From, run.To, run.Packet);
    }

    /// <summary>Makes this book independent of the one it was copied from.</summary>
    public void Detach() => _accounts.Detach();

    void ExtendRun(LimitPlace place, TraceTime from, TraceTime to)
    {
        if (place != _runPlace || from != _run.To)
        {
            _runPlace = place;
            _run.From = from;
            _run.Packet = _reached;
        }

        _run.To = to;
        _reached = Packet;
    }
}
