using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Locate.Packets;

/// <summary>
/// Bytes that left a point in other pieces than they reached the next one: put together or cut on the way by something that knows no MSS of ours, such as a
/// receive offload over short segments. Where all bytes of a piece arrived in others, it was not lost, and those did not come from nowhere.
/// </summary>
/// <param name="path">The path.</param>
/// <param name="pieces">What each point saw.</param>
/// <param name="tracks">What was not seen everywhere, in the order of bytes.</param>
/// <param name="steps">Receives the counts.</param>
sealed class Resegmentation(PathDirection path, Piece[][] pieces, IReadOnlyList<Track> tracks, StepCounts[] steps)
{
    // What was sent longer ago arrived as something else: RFC 6298 has no timer above a minute.
    const long MaxDelayNanos = 60_000_000_000;

    /// <summary>Looks at each step.</summary>
    public void Run()
    {
        for (int place = 0; place + 1 < path.Count; place++)
        {
            Look(place);
        }
    }

    void Look(int place)
    {
        Part[] ended = [.. tracks.Where(track => track.Last == place).Select(track => new Part(track, pieces[place][track.At(place)]))];
        Part[] begun = [.. tracks.Where(track => track.First == place + 1 && !track.IsCopy)
            .Select(track => new Part(track, pieces[place + 1][track.At(place + 1)]))];
        if (ended.Length == 0 || begun.Length == 0)
        {
            return;
        }

        foreach (Part part in ended.Where(part => IsCovered(part, begun, place, isForward: true)).ToArray())
        {
            part.Track.IsResegmented = true;
            steps[place].Resegmented++;
        }

        foreach (Part part in begun.Where(part => IsCovered(part, ended, place, isForward: false)).ToArray())
        {
            part.Track.IsResegmented = true;
        }
    }

    // Both lists are in the order of bytes.
    bool IsCovered(in Part part, Part[] others, int place, bool isForward)
    {
        long reached = part.Piece.Offset;
        const int largest = 1 << 20;
        (int low, int high) = (0, others.Length);
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = others[middle].Piece.Offset < part.Piece.Offset - largest ? (middle + 1, high) : (low, middle);
        }

        for (int i = low; i < others.Length && others[i].Piece.Offset <= reached && reached < part.Piece.End; i++)
        {
            (Part here, Part there) = isForward ? (part, others[i]) : (others[i], part);
            long delay = path.Delay(place, path.Packet(place, here.Piece.Packet).Time, place + 1, path.Packet(place + 1, there.Piece.Packet).Time);
            if (Math.Abs(delay) < MaxDelayNanos)
            {
                reached = Math.Max(reached, others[i].Piece.End);
            }
        }

        return reached >= part.Piece.End;
    }

    readonly record struct Part(Track Track, Piece Piece);
}
