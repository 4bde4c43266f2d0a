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
/// point at which the senders of data are is analysed instead, and the others are left to <c>locate</c>. What payload alone makes alike may be the same file
/// sent twice: that is kept.
/// </summary>
static class SeveralPoints
{
    // Enough to recognise connections; a second reading of long traces would cost time.
    const long LookedAt = 200_000;

    // Fewer packets in common are no second capture of a connection.
    const long MinShared = 16;

    /// <summary>Chooses what is to be analysed.</summary>
    /// <param name="files">The traces.</param>
    /// <param name="error">Receives a line for what is left out, and why.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The traces that are read as one.</returns>
    public static string[] Choose(string[] files, TextWriter error, CancellationToken cancellation)
    {
        if (files.Length < 2 || !files.All(File.Exists))
        {
            return files; // what comes through a pipe can be read only once
        }

        Location location = Look(files, cancellation);
        HashSet<int> kept = [.. location.Paths.Where(path => path.RecognisedBy.ContainsKey(Recognition.Payload)).SelectMany(path => path.Points)];
        var left = new HashSet<int>();
        foreach (LocatedPath path in location.Paths.Where(path => Shared(path) >= MinShared))
        {
            int best = BestOf(path);
            foreach (int point in path.Points.Where(point => point != best && !kept.Contains(point) && !left.Contains(best)))
            {
                if (location.Points[point].Alone == 0 && left.Add(point))
                {
                    string taken = location.Points[best].Name;
                    string leftOut = location.Points[point].Name;
                    Failure.Report(
                        error,
                        $"{leftOut} holds the same connections as {taken}, from another point: left out. "
                        + $"See both with: tcpdiag locate {string.Join(' ', files)}");
                }
            }
        }

        HashSet<int> leftFiles = [.. left.Select(point => location.Points[point].File)];
        string[] chosen = [.. files.Where((_, i) => !leftFiles.Contains(i))];
        return chosen.Length > 0 ? chosen : files;
    }

    static Location Look(string[] files, CancellationToken cancellation)
    {
        var locator = new Locator { MaxRecords = LookedAt };
        foreach (string file in files)
        {
            using TraceReader reader = TraceFile.Open(file);
            locator.Add(file, reader, cancellation);
        }

        return locator.Locate(cancellation);
    }

    static long Shared(LocatedPath path) => path.FromClient.Steps.Concat(path.FromServer.Steps).Sum(step => step.Data.Arrived + step.Acks.Arrived);

    // Where more data comes from: losses and what answers them are seen best at the sender.
    static int BestOf(LocatedPath path)
    {
        long client = path.FromClient.Steps.Sum(step => step.Data.Arrived + step.Data.Lost);
        long server = path.FromServer.Steps.Sum(step => step.Data.Arrived + step.Data.Lost);
        return client >= server ? path.Points[0] : path.Points[^1];
    }
}
