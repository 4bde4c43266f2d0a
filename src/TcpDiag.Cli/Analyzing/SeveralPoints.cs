using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Locate;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Results;
using TcpDiag.Traces;

namespace TcpDiag.Cli.Analyzing;

/// <summary>
/// Recognises that several traces are captures of the same connections at several points. Read as one they would halve RTTs and count packets twice: the
/// point at which the senders of most data are is analysed instead; what the other end sends is judged by the point nearest to it; and where on the path
/// packets were lost is told from all of them. What payload alone makes alike may be the same file sent twice: that is kept.
/// </summary>
/// <param name="Files">The traces that are read as one.</param>
/// <param name="Location">Where packets were lost, delayed or changed; null where no two traces have anything in common.</param>
sealed record SeveralPoints(string[] Files, Location? Location)
{
    /// <summary>Captures that are nearer to senders than what is read.</summary>
    public IReadOnlyList<NearerPoint> Nearer { get; init; } = [];

    // Enough to see whether traces have connections in common; only then are longer ones read as a whole, for the location.
    const long LookedAt = 200_000;

    // Fewer packets in common are no second capture of a connection.
    const long MinShared = 16;

    /// <summary>Chooses what is to be analysed.</summary>
    /// <param name="files">The traces.</param>
    /// <param name="isWhole">Whether all of them is analysed: a part of one is, by its own clock, not the same part of another.</param>
    /// <param name="error">Receives a line for what is left out, and why.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The traces that are read as one, those that judge some senders, and what all of them tell of the path.</returns>
    public static SeveralPoints Choose(string[] files, bool isWhole, TextWriter error, CancellationToken cancellation)
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
        LocatedPath[] paths = Paths(location);
        Dictionary<int, int> left = LeftOut(location, paths);
        int[] leftFiles = [.. Enumerable.Range(0, files.Length).Where(file => IsLeft(location, left, file))];
        string[] read = [.. files.Where((_, file) => !leftFiles.Contains(file))];
        NearerPoint[] nearer = isWhole && read.Length == 1
            ? [.. leftFiles.SelectMany(file => NearerPoint.Of(location, paths, files, Array.IndexOf(files, read[0]), file))]
            : [];
        foreach (int file in leftFiles)
        {
            int taken = left.First(pair => location.Points[pair.Key].File == file).Value;
            IEnumerable<NearerPoint> own = nearer.Where(one => string.Equals(one.File, files[file], StringComparison.Ordinal));
            Failure.Report(error, Explanation(files, file, location.Points[taken].File, own));
        }

        return new SeveralPoints(read, paths.Length > 0 ? location : null) { Nearer = nearer };
    }

    /// <summary>Judges what senders sent by the captures that are nearer to them.</summary>
    /// <param name="analysis">The analysis of what is read.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>It, with what these captures show.</returns>
    public TraceAnalysis Judge(TraceAnalysis analysis, CancellationToken cancellation)
    {
        foreach (NearerPoint nearer in Nearer)
        {
            using TraceReader reader = TraceFile.Open(nearer.File);
            TraceAnalysis other = TraceAnalyzer.Analyze(reader, AnalysisOptions.Default, cancellation);
            analysis = OtherPoint.Judge(analysis, other, Path.GetFileName(nearer.File), nearer.Directions);
        }

        return analysis;
    }

    static bool IsLeft(Location location, Dictionary<int, int> left, int file)
    {
        int[] own = [.. Enumerable.Range(0, location.Points.Count).Where(point => location.Points[point].File == file)];
        return own.Length > 0 && own.All(left.ContainsKey);
    }

    static string Explanation(string[] files, int file, int taken, IEnumerable<NearerPoint> nearer)
    {
        string judged = string.Join(" and ", nearer.Select(one => one.IsFromClient ? "the clients" : "the servers"));
        string what = judged.Length > 0
            ? $"it shows best what {judged} sent, and that is judged by it, all else by the latter"
            : "the analysis reads the latter, where the senders of data are";
        return $"{files[file]} holds the same connections as {files[taken]}, from another point: {what}. More of both: tcpdiag locate "
            + $"{string.Join(' ', files)}";
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
    static Dictionary<int, int> LeftOut(Location location, LocatedPath[] paths)
    {
        HashSet<int> kept = [.. location.Paths.Except(paths).SelectMany(path => path.Points)];
        var left = new Dictionary<int, int>();
        foreach (LocatedPath path in paths)
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

    // Where more data comes from: losses and what answers them are seen best at the sender.
    static int BestOf(Location location, LocatedPath path) =>
        NearerPoint.To(location, path, isClient: NearerPoint.DataOf(path.FromClient) >= NearerPoint.DataOf(path.FromServer));
}
