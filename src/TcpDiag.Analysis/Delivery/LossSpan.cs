using System;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// What got through between two losses: the lower convex hull of the bytes over time. A bucket of any rate is fullest at one of its corners, and no other
/// instant has to be kept.
/// </summary>
struct LossSpan
{
    Hull _hull;

    /// <summary>From the loss to the latest that came through, nanoseconds.</summary>
    public float Nanos { get; private set; }

    /// <summary>What came through, bytes.</summary>
    public float Bytes { get; private set; }

    /// <summary>How many corners it has.</summary>
    public int Corners { get; private set; }

    /// <summary>A corner, by its position: when, in nanoseconds since the loss, how many bytes had come through.</summary>
    public readonly (float Nanos, float Bytes) this[int index] => (_hull[index].Nanos, _hull[index].Bytes);

    /// <summary>Takes in what came through.</summary>
    /// <param name="nanos">Since the loss.</param>
    /// <param name="bytes">How much.</param>
    public void Add(long nanos, int bytes)
    {
        AddCorner(new(nanos, Bytes));
        Nanos = nanos;
        Bytes += bytes;
    }

    void AddCorner(Corner corner)
    {
        while (Corners >= 2 && IsAbove(_hull[Corners - 2], _hull[Corners - 1], corner))
        {
            Corners--;
        }

        if (Corners == Thresholds.MaxLossCorners)
        {
            RemoveFlattest();
        }

        _hull[Corners++] = corner;
    }

    // With few corners the hull is less exact where it bends least.
    void RemoveFlattest()
    {
        int flattest = 1;
        float least = float.MaxValue;
        for (int i = 1; i < Corners - 1; i++)
        {
            float area = Area(_hull[i - 1], _hull[i], _hull[i + 1]);
            (flattest, least) = area < least ? (i, area) : (flattest, least);
        }

        Span<Corner> corners = _hull;
        corners[(flattest + 1)..Corners].CopyTo(corners[flattest..]);
        Corners--;
    }

    static bool IsAbove(Corner before, Corner corner, Corner after) => Area(before, corner, after) <= 0;

    // Twice the area of the triangle; negative where the corner lies above the line between the others.
    static float Area(Corner before, Corner corner, Corner after) =>
        ((corner.Nanos - before.Nanos) * (after.Bytes - before.Bytes)) - ((after.Nanos - before.Nanos) * (corner.Bytes - before.Bytes));

    readonly record struct Corner(float Nanos, float Bytes);

    [InlineArray(Thresholds.MaxLossCorners)]
    struct Hull
    {
        Corner _first;
    }
}
