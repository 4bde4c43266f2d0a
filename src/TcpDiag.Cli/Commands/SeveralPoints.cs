using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Locate;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Results;
using TcpDiag.Traces;

namespace TcpDiag.Cli.Commands;

/// <summary>
/// Recognises that several traces are captures of the same connections at several points. Read as one they would halve RTTs and count packets twice: the
/// point at which the senders of data are is analysed instead, and where on the path packets were lost is told from all of them. What payload alone makes
/// alike may be the same file sent twice: that is kept.
/// </summary>
/// <param name="Files">The traces that are read as one.</param>
/// <param name="Location">Where packets were lost, delayed or changed; null where no two traces have anything in common.</param>
sealed record SeveralPoints(string[] Files, Location? Location)
{
    // Enough to see whether traces have connections in common; only then are longer ones read as a whole, for the location.
    const long LookedAt = 200_000;

    // Fewer packets in common are no second capture of a connection.
    const long MinShared = 16;

    // A capture with fewer of a path's packets than that began late, ended early or lost many.
    const double MinShareOfLargest = 0.75;

    /// <summary>Chooses what is to be analysed.</summary>
    /// <param name="files">The traces.</param>
    /// <param name="error">Receives a line for what is left out, and why.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The traces that are read as one, and what all of them tell of the path.</returns>
    public static SeveralPoints Choose(string[] files, TextWriter error, CancellationToken cancellation)
    {
        // What comes through a pipe can be read only once.
        if (files.Length < 2 || !files.All(File.Exists))
        {
            return new SeveralPoints(files, null);
        }

        Location location = Look(files, LookedAt, cancellation, out bool isCut);
        if (Paths(location).Length == 0)
        {
            return new SeveralPoints(files, null);
        }

        location = isCut ? Look(files, long.MaxValue, cancellation, out _) : location;
        Dictionary<int, int> left = LeftOut(location);
        bool IsLeft(int file) => location.Points.Select((point, number) => (point, number)).Where(pair => pair.point.File == file)
            .ToArray() is { Length: > 0 } own
            && own.All(pair => left.ContainsKey(pair.number));
        int[] leftFiles = [.. Enumerable.Range(0, files.Length).Where(IsLeft)];
        foreach (int file in leftFiles)
        {
            int taken = left.First(pair => location.Points[pair.Key].File == file).Value;
            Failure.Report(
                error,
                $"{files[file]} holds the same connections as {files[location.Points[taken].File]}, from another point: the analysis reads the latter, where "
                + $"the senders of data are. More of both: tcpdiag locate {string.Join(' ', files)}");
        }

        return new SeveralPoints([.. files.Where((_, file) => !leftFiles.Contains(file))], Paths(location).Length > 0 ? location : null);
    }

    static Location Look(string[] files, long most, CancellationToken cancellation, out bool isCut)
    {
        var locator = new Locator { MaxRecords = most };
        foreach (string file in files)
        {
            using TraceReader reader = TraceFile.Open(file);
            locator.Add(Path.GetFileName(file), reader, cancellation);
        }

        isCut = locator.IsCut;
        return locator.Locate(cancellation);
    }

    static LocatedPath[] Paths(Location location) =>
        [.. location.Paths.Where(path => Shared(path) >= MinShared && !path.RecognisedBy.ContainsKey(Recognition.Payload))];

    // Points that need not be read, each with the one in whose place it is. A point on which another's being left out rests is kept, and one that saw
    // something alone.
    static Dictionary<int, int> LeftOut(Location location)
    {
        HashSet<int> kept = [.. location.Paths.Except(Paths(location)).SelectMany(path => path.Points)];
        var left = new Dictionary<int, int>();
        foreach (LocatedPath path in Paths(location))
        {
            int best = left.ContainsKey(BestOf(location, path)) ? path.Points.FirstOrDefault(point => !left.ContainsKey(point), -1) : BestOf(location, path);
            if (best < 0)
            {
                best = BestOf(location, path); // all of them were left out for others: one has to stay
                left.Remove(best);
            }

            kept.Add(best);
            foreach (int point in path.Points.Where(point => !kept.Contains(point) && location.Points[point].Alone == 0))
            {
                left.TryAdd(point, best);
            }
        }

        return left;
    }

    static long Shared(LocatedPath path) => path.FromClient.Steps.Concat(path.FromServer.Steps).Sum(step => step.Data.Arrived + step.Acks.Arrived);

    // Where more data comes from: losses and what answers them are seen best at the sender; unless its capture lacks much of what others have.
    static int BestOf(Location location, LocatedPath path)
    {
        long client = path.FromClient.Steps.Sum(step => step.Data.Arrived + step.Data.Lost);
        long server = path.FromServer.Steps.Sum(step => step.Data.Arrived + step.Data.Lost);
        IEnumerable<int> nearest = client >= server ? path.Points : path.Points.Reverse();
        long most = path.Points.Max(point => location.Points[point].Packets);
        return nearest.First(point => location.Points[point].Packets >= MinShareOfLargest * most);
    }
}
