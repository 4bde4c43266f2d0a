using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Locate.Results;

namespace TcpDiag.Cli.Analyzing;

/// <summary>A capture that is left out, but nearer to senders than the one that is read.</summary>
/// <param name="File">The capture.</param>
/// <param name="IsFromClient">Whether the senders are the clients.</param>
/// <param name="Directions">What they sent, in both captures.</param>
sealed record NearerPoint(string File, bool IsFromClient, IReadOnlyList<DirectionAtTwoPoints> Directions)
{
    // A capture with fewer of a path's packets than that began late, ended early or lost many.
    const double MinShareOfLargest = 0.75;

    // Of less data nothing is judged.
    const long MinPackets = 16;

    /// <summary>Finds the directions whose senders are nearer to a capture that is left out: in each path the nearest point that has them whole.</summary>
    /// <param name="location">What all captures tell of the paths.</param>
    /// <param name="paths">The paths over several of them.</param>
    /// <param name="files">The captures.</param>
    /// <param name="read">Number of the one that is read.</param>
    /// <param name="left">Number of the one that is left out.</param>
    /// <returns>One for each kind of sender it is nearer to.</returns>
    public static IEnumerable<NearerPoint> Of(Location location, LocatedPath[] paths, string[] files, int read, int left)
    {
        foreach (bool isFromClient in (bool[])[true, false])
        {
            DirectionAtTwoPoints[] directions =
            [
                .. paths
                    .Where(path => DataOf(isFromClient ? path.FromClient : path.FromServer) >= MinPackets
                        && location.Points[To(location, path, isFromClient)].File == left)
                    .SelectMany(path => DirectionsOf(location, path, read, left, isFromClient)),
            ];
            if (directions.Length > 0)
            {
                yield return new NearerPoint(files[left], isFromClient, directions);
            }
        }
    }

    /// <summary>The point nearest to an end, unless its capture lacks much of what others have.</summary>
    /// <param name="location">What all captures tell of the paths.</param>
    /// <param name="path">The path.</param>
    /// <param name="isClient">Whether to the client.</param>
    /// <returns>Its number.</returns>
    public static int To(Location location, LocatedPath path, bool isClient)
    {
        long most = path.Points.Max(point => location.Points[point].Packets);
        return (isClient ? path.Points : path.Points.Reverse()).First(point => location.Points[point].Packets >= MinShareOfLargest * most);
    }

    /// <summary>Packets of data that a direction of a path had.</summary>
    public static long DataOf(LocatedDirection direction) => direction.Steps.Sum(step => step.Data.Arrived + step.Data.Lost);

    static IEnumerable<DirectionAtTwoPoints> DirectionsOf(Location location, LocatedPath path, int read, int left, bool isFromClient) =>
        from connection in location.Shared
        where connection.Select(seen => seen.Point).SequenceEqual(path.Points)
        let own = connection.FirstOrDefault(seen => location.Points[seen.Point].File == read)
        let other = connection.FirstOrDefault(seen => location.Points[seen.Point].File == left)
        where own is not null && other is not null
        select new DirectionAtTwoPoints(own.FirstPacket, own.Client, other.FirstPacket, other.Client, isFromClient);
}
