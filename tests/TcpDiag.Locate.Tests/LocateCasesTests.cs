using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Locate.Results;
using Xunit;
using static TcpDiag.Locate.Tests.LocateCase;

namespace TcpDiag.Locate.Tests;

/// <summary>
/// Troubles in one or both of two segments, seen by three captures under what clocks, recorders and middleboxes do to them. What was lost where, and what came
/// late, is known from the emulator.
/// </summary>
[Trait("Needs", "time")]
public sealed class LocateCasesTests
{
    // The rules were made on the first; docs/verification/locate.md says which others judged them.
    static readonly int First = int.Parse(Environment.GetEnvironmentVariable("TCPDIAG_LOCATE_SEED") ?? "1000", CultureInfo.InvariantCulture);

    // Upload and download of each.
    static readonly ConcurrentDictionary<string, Lazy<ThreePointRun>> Runs = new(StringComparer.Ordinal);

    static readonly Dictionary<string, (LinkSettings? Before, LinkSettings? Behind)> Troubles = new(StringComparer.Ordinal)
    {
        ["nothing"] = (null, null),
        ["loss-first"] = (Losing(0.01), null),
        ["loss-second"] = (null, Losing(0.01)),
        ["loss-both"] = (Losing(0.005), Losing(0.01)),
        ["early-first"] = (Early(0.01, 1 * Ms), null),
        ["early-second"] = (null, Early(0.01, 5 * Ms)),
        ["late-first"] = (Late(0.01, 8 * Ms), null),
        ["late-second"] = (null, Late(0.01, 8 * Ms)),
        ["late-both"] = (Late(0.005, 3 * Ms), Late(0.01, 8 * Ms)),
        ["loss-first-late-second"] = (Losing(0.01), Late(0.01, 8 * Ms)),
    };

    // Each changes the captures at the sender, in the middle and at the receiver; the client sends in uploads only.
    static readonly Dictionary<string, Func<ThreePointRun, byte[][]>> Exact = new(StringComparer.Ordinal)
    {
        ["plain"] = run => run.Captures,
        ["hour-behind-skew"] = run => Edited(run, middle: edit => edit.Clock(-Hour, 200), receiver: edit => edit.Clock(Hour, -200)),
        ["skew-apart"] = run => Edited(run, sender: edit => edit.Clock(17 * Ms, -200), middle: edit => edit.Clock(0, 35)),
        ["step-forward"] = run => Edited(run, middle: edit => edit.Clock(0, 20, 500 * Ms, 900 * Ms)),
        ["step-back"] = run => Edited(run, receiver: edit => edit.Clock(Second, 0, -250 * Ms, 700 * Ms)),
        ["step-small"] = run => Edited(run, sender: edit => edit.Clock(0, 0, 4 * Ms, 800 * Ms)),
        ["nat"] = run => Edited(run, receiver: edit => edit.Nat().Clock(3 * Second, 50)),
        ["nat-before-middle"] = run => Edited(run, sender: edit => edit.Nat()),
        ["moved"] = run => Edited(run, receiver: edit => edit.MoveSequence(0x1234_5678, withSack: true)),
        ["snap-68"] = run => Edited(run, edit => edit, 68),
        ["no-identification"] = run => Edited(run, sender: edit => edit.NoIpId(), middle: edit => edit.NoIpId(), receiver: edit => edit.NoIpId()),
        ["no-timestamps"] = run => Edited(run, receiver: edit => edit.StripTimestamps()),
    };

    static readonly Dictionary<string, Func<ThreePointRun, byte[][]>> Doubtful = new(StringComparer.Ordinal)
    {
        ["middle-late"] = run => Edited(run, middle: edit => edit.Between(600 * Ms).Clock(Hour, 100)),
        ["receiver-late"] = run => Edited(run, receiver: edit => edit.Between(600 * Ms)),
        ["sender-late"] = run => Edited(run, sender: edit => edit.Between(600 * Ms).Clock(-Hour)),
        ["middle-ends"] = run => Edited(run, middle: edit => edit.Between(0, 700 * Ms)),
        ["receiver-ends"] = run => Edited(run, receiver: edit => edit.Between(0, 700 * Ms).Clock(5 * Ms, -120)),
        ["middle-loses"] = run => Edited(run, middle: edit => edit.Lose(0.02, 7)),
        ["middle-tells"] = run => [run.Captures[0], CaptureEdit.From(run.Flow.Start).Lose(0.02, 7).Apply(run.Captures[1], tells: true), run.Captures[2]],
        ["receiver-loses"] = run => Edited(run, receiver: edit => edit.Lose(0.02, 8)),
        ["sender-loses"] = run => Edited(run, sender: edit => edit.Lose(0.02, 9)),
        ["all-lose"] = run => Edited(run, sender: edit => edit.Lose(0.01, 9), middle: edit => edit.Lose(0.01, 10), receiver: edit => edit.Lose(0.01, 11)),
        ["middle-late-nat"] = run => Edited(run, middle: edit => edit.Nat().Between(600 * Ms).Clock(-Hour, -150)),
    };

    public static TheoryData<string, bool, string> ExactCases => Cases(Exact.Keys);

    public static TheoryData<string, bool, string> DoubtfulCases => Cases(Doubtful.Keys);

    [Theory]
    [MemberData(nameof(ExactCases))]
    public void Counts_AreExact_InTheRightSegment(string trouble, bool isDownload, string condition)
    {
        ThreePointRun run = RunOf(trouble, isDownload);
        Location location = OfThree(Exact[condition](run), isDownload);
        LocatedDirection data = run.OfData(location);
        Assert.Equal($"{run.LostData(0)} {run.LostData(1)}", data.Losses());
        Assert.Equal([run.Late(1, hasData: true), run.Late(2, hasData: true)], data.Steps.Select(step => (int)step.Data.Late));
        Assert.Empty(data.Between);
        Assert.Empty(data.Untold);
        Assert.All(location.Points, point => Assert.Equal(0, point.Missed));
        Assert.All(data.Steps, step => Assert.Equal(0, step.Data.Copied));

        LocatedPath path = location.Paths[0];
        for (int i = 0; i < 2; i++)
        {
            long bound = (long)path.Clocks[isDownload ? 1 - i : i].BoundNanos;
            Assert.InRange(data.Steps[i].DelayError(run.Delays(i + 1)), 0, Math.Max(50_000, bound));
        }
    }

    [Theory]
    [MemberData(nameof(DoubtfulCases))]
    public void WrongSegment_IsNeverNamed(string trouble, bool isDownload, string condition)
    {
        ThreePointRun run = RunOf(trouble, isDownload);
        Location location = OfThree(Doubtful[condition](run), isDownload);
        LocatedDirection data = run.OfData(location);
        Assert.InRange(data.Steps[0].Data.Lost, 0, run.LostData(0));
        Assert.InRange(data.Steps[1].Data.Lost, 0, run.LostData(1));
        Assert.InRange(data.Steps[0].Data.Late, 0, run.Late(1, hasData: true));
        Assert.InRange(data.Steps[1].Data.Late, 0, run.Late(2, hasData: true));
        long lost = data.Steps.Sum(step => step.Data.Lost) + data.Between.Sum(between => between.Packets);
        Assert.InRange(lost, 0, run.LostData(0) + run.LostData(1));
    }

    static byte[][] Edited(
        ThreePointRun run,
        Func<CaptureEdit, CaptureEdit>? sender = null,
        Func<CaptureEdit, CaptureEdit>? middle = null,
        Func<CaptureEdit, CaptureEdit>? receiver = null) =>
        [.. new[] { sender, middle, receiver }.Select((edit, i) =>
            edit is null ? run.Captures[i] : edit(CaptureEdit.From(run.Flow.Start)).Apply(run.Captures[i]))];

    static byte[][] Edited(ThreePointRun run, Func<CaptureEdit, CaptureEdit> edit, int snap) =>
        [.. run.Captures.Select(capture => edit(CaptureEdit.From(run.Flow.Start)).Cut(snap).Apply(capture))];

    // In an order that is not that of the path.
    static Location OfThree(byte[][] captures, bool isDownload)
    {
        (string Name, byte[] Capture)[] named = [("middle", captures[1]), ("receiver", captures[2]), ("sender", captures[0])];
        Location location = Located(named);
        LocatedPath path = Assert.Single(location.Paths);
        Assert.True(path.IsOrderKnown);
        Assert.Equal(isDownload ? ["receiver", "middle", "sender"] : ["sender", "middle", "receiver"],
            path.Points.Select(point => location.Points[point].Name));
        return location;
    }

    static ThreePointRun RunOf(string trouble, bool isDownload) => Runs.GetOrAdd($"{trouble} {isDownload}", _ => new(() =>
    {
        (LinkSettings? before, LinkSettings? behind) = Troubles[trouble];
        ulong seed = (ulong)(First + Troubles.Keys.ToList().IndexOf(trouble));
        return new ThreePointRun(Flow(isDownload), Path(seed, isDownload, before, behind));
    })).Value;

    // Every trouble in every condition, uploads and downloads by turns.
    static TheoryData<string, bool, string> Cases(IEnumerable<string> conditions)
    {
        var cases = new TheoryData<string, bool, string>();
        int number = 0;
        foreach (string trouble in Troubles.Keys)
        {
            foreach (string condition in conditions)
            {
                cases.Add(trouble, number++ % 2 == 1, condition);
            }
        }

        return cases;
    }
}
