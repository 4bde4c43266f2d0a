using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Locate;
using TcpDiag.Locate.Results;
using TcpDiag.Report;
using TcpDiag.Traces;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>What recordings at several points show together that one of them cannot: between which two of them packets went missing.</summary>
/// <param name="sentences">The language.</param>
sealed class BothEnds(Sentences sentences)
{
    // Fewer packets in common are no second recording of a connection.
    const long MinShared = 16;

    /// <summary>What they show; null where they have no connection in common.</summary>
    /// <param name="files">The recordings, and what they are called.</param>
    /// <param name="interruption">Ends the reading.</param>
    public AnswerList? Of(IReadOnlyList<(string Path, string Name)> files, CancellationToken interruption)
    {
        if (files.Count < 2)
        {
            return null;
        }

        var locator = new Locator();
        foreach ((string path, string name) in files)
        {
            using TraceReader reader = TraceFile.Open(path);
            locator.Add(name, reader, interruption);
        }

        Location location = locator.Locate(interruption);
        string[] lines = [.. location.Paths.Where(path => path.Points.Count > 1).SelectMany(path => Lines(location, path))];
        return lines.Length == 0 ? null : new(sentences.Of("both"), [.. lines.Select(line => SafeText.OneLine(line))]);
    }

    IEnumerable<string> Lines(Location location, LocatedPath path) => path.FromClient.Steps.Concat(path.FromServer.Steps)
        .Where(step => step.Data.Arrived + step.Data.Lost >= MinShared)
        .Select(step =>
        {
            LocatedPackets data = step.Data;
            string found = data.Lost > 0 ? sentences.Of("both.lost", data.Lost, data.Arrived + data.Lost) : sentences.Of("both.none", data.Arrived);
            string late = data.Late > 0 ? sentences.Of("both.late", data.Late) : string.Empty;
            return sentences.Of("both.step", location.Points[step.From].Name, location.Points[step.To].Name, found + late);
        });
}
