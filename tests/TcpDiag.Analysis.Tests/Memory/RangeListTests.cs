using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Memory;

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
            int index = list.FirstStartingAfter(At(start));
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

    // Blocks and acknowledgments in any order: bytes are new once, and never below an acknowledgment.
    [Fact]
    public void Sack_RandomBlocksAndAcknowledgments_AgreeWithASetOfBytes() => Prop.ForAll<int[]>(steps =>
    {
        var flights = new FlightPool();
        var tracker = new RecoveryTracker(flights, new Nobody(), null);
        var sent = default(SendState);
        sent.Space.Begin(At(0));
        sent.Space.Extend(At(0), Room, Room);
        ref LossRecovery recovery = ref flights.RecoveryOf(ref sent);
        var known = new HashSet<int>();
        foreach (int step in steps)
        {
            int left = (step & 0x7FFF) % Room;
            int right = left + 1 + (((step >> 15) & 0x3F) % (Room - left));
            var segment = default(Segment);
            if (step % 5 == 0 && At(right) > sent.Space.SndUna)
            {
                tracker.OnAdvance(ref sent, ref recovery, new ParsedPacket { Acknowledgment = At(right), PayloadLength = 1 }, default, ref segment);
                sent.Space.Acknowledge(At(right));
                known.UnionWith(Enumerable.Range(0, right));
                continue;
            }

            int expected = Enumerable.Range(left, right - left).Count(known.Add);
            segment.Ack.Sack.Add(new SackBlock(At(left), At(right)));
            tracker.OnSack(ref sent, default, ref segment);
            if (segment.Ack.Sack.NewBytes != expected)
            {
                return false;
            }
        }

        SackScoreboard sacked = recovery.Sacked;
        SequenceNumber una = sent.Space.SndUna;
        bool areHolesRight = Enumerable.Range(0, Room - 1).All(at =>
            At(at) < una || At(at) >= sacked.Fack || sacked.IsSacked(At(at), At(at + 1)) == known.Contains(at));
        flights.Release(ref sent);
        return areHolesRight;
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(300).WithEndSize(200));

    // Hostile input: more holes than any window makes.
    [Fact]
    public void Holes_MoreThanTheListHolds_ForgetTheLowest()
    {
        var missing = default(MissingData);
        for (int i = 0; i < RangeList<MissingRange>.MaxItems + 10; i++)
        {
            missing.Add(new MissingRange { Start = At(4 * i), End = At((4 * i) + 2) }, maxInFlight: 0);
        }

        Assert.Equal(0, missing.Fill(At(0), At(39), out _));
        Assert.Equal(2, missing.Fill(At(40), At(43), out _));
        missing.Release();
    }

    sealed class Nobody : IRetransmissionObserver;
}
