using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>The two sets that are compared: how A fared is what B is measured by.</summary>
/// <param name="A">The one before.</param>
/// <param name="B">The one after.</param>
public sealed record RunSetPair(RunSet A, RunSet B)
{
    /// <summary>The two sides of one experiment.</summary>
    /// <param name="path">Its result directory.</param>
    /// <returns>The pair, in the order in which the experiment names them.</returns>
    /// <exception cref="RunSetException">It is damaged, or has not two sides.</exception>
    public static RunSetPair Read(string path) => LabResultReader.Read(path) switch
    {
        [RunSet first, RunSet second] => new RunSetPair(first, second),
        { } sides => throw new RunSetException($"{path}: expected two sides, found {sides.Count} ({Names(sides)}). Name two result directories, or one of two sides."),
    };

    /// <summary>Two experiments. Where each has one side, these are compared whatever they are called; else sides of the same name are.</summary>
    /// <param name="pathA">Result directory of the one.</param>
    /// <param name="pathB">Result directory of the other.</param>
    /// <returns>The pair.</returns>
    /// <exception cref="RunSetException">One is damaged.</exception>
    public static RunSetPair Read(string pathA, string pathB)
    {
        IReadOnlyList<RunSet> a = LabResultReader.Read(pathA);
        IReadOnlyList<RunSet> b = LabResultReader.Read(pathB);
        return a.Count == 1 && b.Count == 1 ? new RunSetPair(a[0], b[0]) : new RunSetPair(RunSet.Unite(a), RunSet.Unite(b));
    }

    static string Names(IEnumerable<RunSet> sides) => string.Join(", ", sides.Select(side => side.Side));
}
