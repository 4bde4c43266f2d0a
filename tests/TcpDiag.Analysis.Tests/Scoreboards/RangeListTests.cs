using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Scoreboards;

/// <summary>Lists of ranges against slow and obvious models. All numbers lie around the wrap.</summary>
public sealed class RangeListTests
{
    const int Room = 400;

    static SequenceNumber At(int offset) => new(unchecked(0xFFFF_FF00 + (uint)offset));

    [Fact]
    public void InsertAndRemove_RandomPlaces_AgreeWithAList() => Prop.ForAll<int[]>(places =>
    {
        var list = default(RangeList<SackHole>);
        var model = new List<int>();
        foreach (int place in places)
        {
            int start = (place & 0x7FFF) % Room;
            int index = list.FirstBeginningBehind(At(start));
            if (place % 3 == 0 && index > 0)
            {
                list.Remove(index - 1, 1);
                model.RemoveAt(index - 1);
            }
            else
            {
                list.Insert(index, new SackHole { Start = At(start), End = At(start + 1) });
                model.Insert(model.Count(value => value <= start), start);
            }
        }

        bool isSame = list.Count == model.Count && Enumerable.Range(0, list.Count).All(i => list[i].Start == At(model[i]));
        list.Release();
        return isSame;
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(300));

    // Blocks and acknowledgments in any order: bytes are told as new once, and never below an acknowledgment.
    [Fact]
    public void Sack_RandomBlocksAndAcknowledgments_AgreeWithASetOfBytes() => Prop.ForAll<int[]>(steps =>
    {
        var sacked = new SackedData(new ResendBook(new RttRecorder(), new AnalysisFollowers(new LimitTracker(AnalysisOptions.Default, null), new PatternTracker(), [])));
        var direction = new DirectionState { SndUna = At(0), SndMax = At(Room) };
        var board = new Scoreboard { Fack = At(0) };
        var told = new HashSet<int>();
        foreach (int step in steps)
        {
            int left = (step & 0x7FFF) % Room;
            int right = left + 1 + (((step >> 15) & 0x3F) % (Room - left));
            if (step % 5 == 0 && At(right) > direction.SndUna)
            {
                sacked.OnAdvance(direction, ref board, At(right), default);
                direction.SndUna = At(right);
                told.UnionWith(Enumerable.Range(0, right));
                continue;
            }

            int expected = Enumerable.Range(left, right - left).Count(told.Add);
            if (sacked.OnBlock(direction, ref board, new SackBlock(At(left), At(right)), default) != expected)
            {
                return false;
            }
        }

        bool areHolesRight = Enumerable.Range(0, Room - 1).All(at =>
            At(at) < direction.SndUna || At(at) >= board.Fack || SackedData.IsSacked(board, At(at), At(at + 1)) == told.Contains(at));
        board.Holes.Release();
        return areHolesRight;
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(200));

    // Hostile input: more holes than any window makes.
    [Fact]
    public void Holes_MoreThanTheListHolds_ForgetTheLowest()
    {
        var board = default(Scoreboard);
        for (int i = 0; i < RangeList<SequenceHole>.MostItems + 10; i++)
        {
            MissingData.Add(ref board, new SequenceHole { Start = At(4 * i), End = At((4 * i) + 2) });
        }

        Assert.Equal(RangeList<SequenceHole>.MostItems, board.Missing.Count);
        Assert.Equal(10, board.Overflow);
        Assert.Equal(0, MissingData.Fill(ref board, At(0), At(39), out _));
        Assert.Equal(2, MissingData.Fill(ref board, At(40), At(43), out _));
        board.Missing.Release();
    }
}
