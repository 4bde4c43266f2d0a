using System;
using System.Linq;
using TcpDiag.Locate.Results;
using Xunit;
using static TcpDiag.Locate.Tests.LocateCase;

namespace TcpDiag.Locate.Tests;

/// <summary>Clocks that were set several times during some seconds of data.</summary>
[Trait("Needs", "time")]
public sealed class LocateStepsTests
{
    static readonly Lazy<ThreePointRun> Clean = new(() => new ThreePointRun(Flow() with { Bytes = 40_000_000 }, Path(31)));
    static readonly Lazy<ThreePointRun> Lossy = new(
        () => new ThreePointRun(Flow() with { Bytes = 40_000_000 }, Path(32, before: Losing(0.001), behind: Late(0.001, 8 * Ms))));

    // Sizes and instants of the steps of the middle's clock, and of the receiver's, ms; each counted on the clock as it is by then.
    public static TheoryData<bool, int[], int[]> Cases => new()
    {
        { false, [], [500, 2000, 40, 4500] },
        { true, [], [500, 2000, 40, 4500] },
        { false, [90, 1500, 260, 3500, 150, 5000], [] },
        { false, [25, 2500], [3, 4000] },
        { true, [25, 2500], [700, 3000, 1200, 5000] },
        { true, [3_600_000, 3000], [50, 2000] },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Steps_AreFound_AndDelaysStayWithinTheBound(bool isLossy, int[] ofMiddle, int[] ofReceiver)
    {
        ThreePointRun run = (isLossy ? Lossy : Clean).Value;
        byte[] middle = Set(CaptureEdit.From(run.Flow.Start).Clock(-Hour, 40), ofMiddle, -Hour).Apply(run.Captures[1]);
        byte[] receiver = Set(CaptureEdit.From(run.Flow.Start).Clock(17 * Ms, -80), ofReceiver, 17 * Ms).Apply(run.Captures[2]);
        Location location = Located(("sender", run.Captures[0]), ("middle", middle), ("receiver", receiver));
        LocatedPath path = Assert.Single(location.Paths);
        LocatedDirection data = run.OfData(location);

        Assert.Equal($"{run.LostData(0)} {run.LostData(1)}", data.Losses());
        Assert.Equal([run.Late(1, hasData: true), run.Late(2, hasData: true)], data.Steps.Select(step => (int)step.Data.Late));
        Assert.Equal(ofMiddle.Length / 2, path.Clocks[0].Steps.Count);
        Assert.Equal((ofMiddle.Length + ofReceiver.Length) / 2, path.Clocks[1].Steps.Count);
        for (int i = 0; i < 2; i++)
        {
            Assert.InRange(data.Steps[i].DelayError(run.Delays(i + 1)), 0, Math.Max(50_000, (long)path.Clocks[i].BoundNanos));
        }
    }

    static CaptureEdit Set(CaptureEdit edit, int[] steps, long offset)
    {
        for (int i = 0; i < steps.Length; i += 2)
        {
            edit = edit.Clock(0, 0, steps[i] * Ms, (steps[i + 1] * Ms) + offset);
        }

        return edit;
    }
}
