using System;
using System.Numerics;
using System.Runtime.InteropServices;

namespace TcpDiag.Analysis.Delivery;

/// <summary>Intervals between losses side by side, one in each lane of vectors, so that a bucket is compared with several at once.</summary>
ref struct LossLanes
{
    const int Nanos = 0; // rows
    const int Bytes = 1;
    const int MostTokens = 2;
    const int LastTokens = 3;
    const int FirstCorner = 4; // of each, nanoseconds and bytes
    const int Rows = FirstCorner + (2 * Thresholds.MaxLossCorners);

    readonly Span<Vector<float>> _rows;
    readonly int _width; // vectors of a row

    /// <summary>Lays intervals side by side.</summary>
    /// <param name="spans">The intervals.</param>
    /// <param name="room">As many vectors as <see cref="Room"/> says.</param>
    public LossLanes(ReadOnlySpan<LossSpan> spans, Span<Vector<float>> room)
    {
        _rows = room;
        _width = room.Length / Rows;
        room.Clear(); // lanes without an interval gain and leave nothing
        for (int lane = 0; lane < spans.Length; lane++)
        {
            Values(Nanos)[lane] = spans[lane].Nanos;
            Values(Bytes)[lane] = spans[lane].Bytes;
            for (int i = 0; i < spans[lane].Corners; i++)
            {
                (float nanos, float bytes) = spans[lane][i];
                Values(FirstCorner + (2 * i))[lane] = nanos;
                Values(FirstCorner + (2 * i) + 1)[lane] = bytes;
            }
        }
    }

    /// <summary>Vectors that so many intervals take.</summary>
    public static int Room(int spans) => Rows * ((spans + Vector<float>.Count - 1) / Vector<float>.Count);

    /// <summary>Takes in the rate of the bucket, bytes per nanosecond: how many tokens one without bounds would have had at most, and at the end.</summary>
    public readonly void SetRate(float rate)
    {
        for (int k = 0; k < _width; k++)
        {
            Vector<float> most = Vector<float>.Zero;
            for (int row = FirstCorner; row < Rows; row += 2)
            {
                most = Vector.Max(most, (rate * Row(row)[k]) - Row(row + 1)[k]);
            }

            Row(MostTokens)[k] = most;
            Row(LastTokens)[k] = (rate * Row(Nanos)[k]) - Row(Bytes)[k];
        }
    }

    /// <summary>Tokens left at the losses, or spent that were not there, of all that the bucket gained before.</summary>
    /// <param name="depth">Tokens that it holds, bytes.</param>
    public readonly float Mismatch(float depth)
    {
        var full = new Vector<float>(depth);
        Vector<float> left = Vector<float>.Zero;
        Vector<float> gained = Vector<float>.Zero;
        for (int k = 0; k < _width; k++)
        {
            Vector<float> lost = Vector.Max(Row(MostTokens)[k] - full, Vector<float>.Zero);
            left += Vector.Min(Vector.Abs(Row(LastTokens)[k] - lost), full);
            gained += Vector.Min(Row(MostTokens)[k], full);
        }

        return Vector.Sum(left) / Math.Max(Vector.Sum(gained), 1);
    }

    readonly Span<Vector<float>> Row(int row) => _rows.Slice(row * _width, _width);

    readonly Span<float> Values(int row) => MemoryMarshal.Cast<Vector<float>, float>(Row(row));
}
