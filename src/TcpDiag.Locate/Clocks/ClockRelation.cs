using System;
using System.Collections.Generic;

namespace TcpDiag.Locate.Clocks;

/// <summary>How the clock of one point stands to that of the point before it: an offset, a skew, and steps.</summary>
sealed record ClockRelation
{
    /// <summary>Both points have one clock.</summary>
    public static ClockRelation Same { get; } = new() { IsKnown = true };

    /// <summary>Whether packets of both directions tell it; else only changes of delays are known.</summary>
    public bool IsKnown { get; init; }

    /// <summary>The instant at which <see cref="Offset"/> holds, ns by the first clock.</summary>
    public long Origin { get; init; }

    /// <summary>How far the second clock is ahead of the first, ns.</summary>
    public double Offset { get; init; }

    /// <summary>How much faster it runs, 1 = 10⁶ ppm.</summary>
    public double Skew { get; init; }

    /// <summary>Where one of both was set, in the order in which that was.</summary>
    public IReadOnlyList<ClockStep> Steps { get; init; } = [];

    /// <summary>How far a delay may be wrong: half of what the fastest packets need there and back, ns; what they need each way cannot be told.</summary>
    public double Bound { get; init; }

    /// <summary>How long a packet took that passed the first point and then the second.</summary>
    /// <param name="near">When it passed the first, by its clock.</param>
    /// <param name="far">When it passed the second, by its clock.</param>
    /// <returns>Far less near on one clock, ns; negative for a packet that goes the other way.</returns>
    public long Between(long near, long far)
    {
        double ahead = Ahead(near);
        foreach (ClockStep step in Steps)
        {
            ahead += step.IsBehind(near, far) ? step.Size : 0;
        }

        return unchecked(far - near) - (long)ahead;
    }

    /// <summary>An instant of the second clock by the first.</summary>
    public long ToNear(long far)
    {
        // A first clock that stepped is asked by what it would show; a packet's flight more or less does not matter here.
        long near = far - (long)Ahead(far - (long)Offset);
        foreach (ClockStep step in Steps)
        {
            near -= (step.IsFar ? far >= step.Time : near >= step.Time + (long)Math.Min(0, step.Size)) ? (long)step.Size : 0;
        }

        return near;
    }

    /// <summary>An instant of the first clock by the second.</summary>
    public long ToFar(long near)
    {
        long far = near + (long)Ahead(near);
        foreach (ClockStep step in Steps)
        {
            far += (step.IsFar ? far >= step.Time - (long)Math.Max(0, -step.Size) : near >= step.Time) ? (long)step.Size : 0;
        }

        return far;
    }

    // Before the first step.
    double Ahead(long near) => Offset + (Skew * (near - Origin));
}
