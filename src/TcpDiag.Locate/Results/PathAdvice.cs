using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Packets;

namespace TcpDiag.Locate.Results;

/// <summary>What would tell more about a path.</summary>
static class PathAdvice
{
    /// <summary>The advice.</summary>
    /// <param name="there">What became of the client's packets.</param>
    /// <param name="back">What became of the server's.</param>
    /// <param name="hops">Routers between two places, counted from the client.</param>
    public static IEnumerable<LocatedAdvice> Of(LocatedDirection there, LocatedDirection back, Func<int, int, int> hops)
    {
        int last = there.Steps.Count;
        var advice = new List<LocatedAdvice>();
        foreach (LocatedStep step in there.Steps.Concat(back.Steps).Where(IsTroubled))
        {
            int place = there.Steps.Select((one, i) => (one, i)).First(pair => IsSame(pair.one, step)).i;
            LocatedStep forward = there.Steps[place];
            advice.Add(new LocatedAdvice(AdviceKind.PointBetween, forward.From, forward.To, hops(place, place + 1)));
        }

        (int first, int end) = (there.Steps[0].From, there.Steps[^1].To);
        UntoldBehind[] untold = [.. there.Untold, .. back.Untold];
        if (there.Between.Count + back.Between.Count > 0 || untold.Any(one => one.Why is Doubt.RecorderLoss or Doubt.Delivered))
        {
            advice.Add(new LocatedAdvice(AdviceKind.LosslessRecorder, first, end, hops(0, last)));
        }

        if (untold.Any(one => one.Why == Doubt.NotRecording))
        {
            advice.Add(new LocatedAdvice(AdviceKind.SameTime, first, end, hops(0, last)));
        }

        return advice.Distinct();
    }

    static bool IsTroubled(LocatedStep step) => step.Data.Lost + step.Data.Moved + step.Data.Copied > 0;

    static bool IsSame(LocatedStep one, LocatedStep other) =>
        (one.From == other.From && one.To == other.To) || (one.From == other.To && one.To == other.From);
}
