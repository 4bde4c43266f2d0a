using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Results;

/// <summary>What makes two experiments one: everything that a run depends on. Iterations are not among it, since more of them extend an experiment.</summary>
static class Experiment
{
    const string NotGiven = "not given";

    /// <summary>In what an experiment is another one than that of a directory.</summary>
    /// <param name="there">The one in the directory.</param>
    /// <param name="here">The one asked for.</param>
    /// <returns>A clause for each difference, e.g. <c>seed is 1 there, 2 here</c>.</returns>
    public static IReadOnlyList<string> FindDifferences(LabRunDocument there, LabRunDocument here)
    {
        Dictionary<string, string> old = new(Facts(there), StringComparer.Ordinal);
        Dictionary<string, string> asked = new(Facts(here), StringComparer.Ordinal);
        List<string> differences =
        [
            .. old.Keys.Union(asked.Keys, StringComparer.Ordinal)
                .Select(name => (Name: name, There: old.GetValueOrDefault(name, NotGiven), Here: asked.GetValueOrDefault(name, NotGiven)))
                .Where(fact => !string.Equals(fact.There, fact.Here, StringComparison.Ordinal))
                .Select(fact => $"{fact.Name} is {fact.There} there, {fact.Here} here"),
        ];
        if (here.Matrix.Iterations < there.Matrix.Iterations)
        {
            differences.Add(string.Create(CultureInfo.InvariantCulture, $"it has {there.Matrix.Iterations} iterations, and {here.Matrix.Iterations} would be fewer"));
        }

        return differences;
    }

    // A setting and its values may stand only once in a matrix, so names are unique.
    static IEnumerable<KeyValuePair<string, string>> Facts(LabRunDocument run)
    {
        LabMatrix matrix = run.Matrix;
        (string Name, string Value)[] facts =
        [
            ("schema", run.Schema),
            ("name", matrix.Name),
            ("description", matrix.Description),
            ("kernel", run.Kernel),
            ("seed", run.Seed.ToString(CultureInfo.InvariantCulture)),
            ("scale", run.Scale.ToString(CultureInfo.InvariantCulture)),
            ("peer", run.Peer ?? NotGiven),
            ("capture", matrix.Recording.ToString()),
            .. Axes("path", matrix.Path),
            .. Axes("flow", matrix.Flow),
            ("the order of sides", List(matrix.Sides.Select(side => side.Name))),
            .. matrix.Sides.SelectMany(Side),
        ];
        return facts.Select(fact => KeyValuePair.Create(fact.Name, fact.Value));
    }

    // The order of the axes numbers the cells.
    static IEnumerable<(string Name, string Value)> Axes(string part, IReadOnlyList<LabAxis> axes) =>
        axes.Select(axis => ($"{part} {axis.Name}", List(axis.Values))).Append(($"the order of {part}", List(axes.Select(axis => axis.Name))));

    static IEnumerable<(string Name, string Value)> Side(LabSide side) =>
        side.Path.Concat(side.Flow).Select(option => ($"side {side.Name} {option.Name}", option.Value)).Prepend(($"side {side.Name} stack", side.Stack));

    static string List(IEnumerable<string> values) => string.Join(", ", values);
}
