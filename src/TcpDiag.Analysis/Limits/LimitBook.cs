using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Books the time of one sender. What is booked is contiguous: each interval begins where the one before ended.</summary>
struct LimitBook
{
    const int Count = (int)LimitPlace.Stale + 1;

    /// <summary>Records the intervals for charts; null when there are none.</summary>
    public LimitRibbon? Ribbon;

    Places _times;

    /// <summary>Time in each state, without what waits.</summary>
    public readonly LimitTimes Times
    {
        get
        {
            var times = default(LimitTimes);
            for (int i = 0; i < LimitTimes.States; i++)
            {
                times.Add((LimitState)i, _times[i]);
            }

            return times;
        }
    }

    /// <summary>Time booked at a place.</summary>
    /// <param name="place">The place.</param>
    /// <returns>Nanoseconds.</returns>
    public readonly long At(LimitPlace place) => _times[(int)place];

    /// <summary>Books an interval.</summary>
    /// <param name="place">Where.</param>
    /// <param name="from">Its beginning.</param>
    /// <param name="to">Its end; nothing is booked unless it is later.</param>
    public void Add(LimitPlace place, TraceTime from, TraceTime to)
    {
        if (to > from)
        {
            _times[(int)place] += to - from;
            Ribbon?.Add(place, from, to);
        }
    }

    /// <summary>Decides about all time of a place.</summary>
    /// <param name="from">The place where it waited.</param>
    /// <param name="to">The place where it belongs.</param>
    public void Move(LimitPlace from, LimitPlace to)
    {
        if (_times[(int)from] > 0)
        {
            _times[(int)to] += _times[(int)from];
            _times[(int)from] = 0;
            Ribbon?.Move(from, to);
        }
    }

    [InlineArray(Count)]
    struct Places
    {
        long _first;
    }
}
