using TcpDiag.Analysis.Limits;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Time booked at places; instants in nanoseconds.</summary>
public sealed class LimitBookTests
{
    const int Places = (int)LimitPlace.Stale + 1;

    LimitBook _book;

    // At place n: n + 1 ns, in packet 100 + n. All places together are more than there is room for without allocation.
    [Fact]
    public void Add_AtEveryPlace_IsKeptApart()
    {
        AddEverywhere();
        for (int place = 0; place < Places; place++)
        {
            Assert.Equal(place + 1, _book.At((LimitPlace)place));
        }

        for (LimitState state = 0; (int)state < LimitTimes.States; state++)
        {
            LimitSpan longest = _book.Longest(state);
            Assert.Equal(((int)state + 1, 100 + (int)state), (longest.To - longest.From, longest.FirstPacket));
        }
    }

    // All others move to place 0: 1 + 2 + … + 20 = 210 ns, the longest run of 20.
    [Fact]
    public void Move_EverythingToOnePlace_LeavesNothingElsewhere()
    {
        AddEverywhere();
        for (int place = 1; place < Places; place++)
        {
            _book.Move((LimitPlace)place, LimitPlace.Application);
            Assert.Equal(0, _book.At((LimitPlace)place));
        }

        Assert.Equal(Places * (Places + 1) / 2, _book.At(LimitPlace.Application));
        LimitSpan longest = _book.Longest(LimitState.Application);
        Assert.Equal((Places, 100 + Places - 1), (longest.To - longest.From, longest.FirstPacket));
    }

    [Fact]
    public void Move_FromWhereNothingIs_ChangesNothing()
    {
        _book.Add(LimitPlace.Idle, new(0), new(5));
        _book.Move(LimitPlace.Crest, LimitPlace.Idle);
        Assert.Equal(5, _book.At(LimitPlace.Idle));
    }

    [Fact]
    public void Detach_OfACopy_LeavesTheOtherAsItIs()
    {
        AddEverywhere();
        LimitBook copy = _book;
        copy.Detach();
        for (int place = 0; place < Places; place++)
        {
            copy.Add((LimitPlace)place, new(1_000), new(2_000));
        }

        for (int place = 0; place < Places; place++)
        {
            Assert.Equal(place + 1, _book.At((LimitPlace)place));
        }
    }

    // Backwards, so that the numbers of accounts are not those of places.
    void AddEverywhere()
    {
        for (int place = Places - 1; place >= 0; place--)
        {
            _book.Begin(100 + place);
            _book.Add((LimitPlace)place, new(0), new(place + 1));
        }
    }
}
