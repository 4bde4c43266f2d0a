using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Results;

/// <summary>
/// The directory a run leaves (docs/lab.md), held against a second experiment by an open file. A run that was finished has its <c>result.json</c>,
/// written last and put in place at once, so an interrupted experiment goes on where it was.
/// </summary>
public sealed class ResultFolder : IDisposable
{
    const string RunFile = "run.json";
    const string ResultFile = "result.json";
    const string LockFile = "lock";
    const int MaxDifferences = 3;

    readonly string _root;
    readonly FileStream _held;

    ResultFolder(string root, FileStream held, LabRunDocument header)
    {
        Header = header;
        _root = root;
        _held = held;
    }

    /// <summary>The experiment, without results; of a directory that holds runs of several builds, that of all of them.</summary>
    public LabRunDocument Header { get; }

    /// <summary>Opens a directory, new or of the same experiment, perhaps of fewer iterations.</summary>
    /// <param name="root">The directory; made if it is not there.</param>
    /// <param name="header">The experiment, without results.</param>
    /// <param name="isResumed">Whether the directory may hold runs of another build.</param>
    /// <returns>The directory; disposing of it lets others have it.</returns>
    /// <exception cref="LabException">It holds another experiment, or one is at work in it.</exception>
    public static ResultFolder Open(string root, LabRunDocument header, bool isResumed = false)
    {
        Directory.CreateDirectory(root);
        FileStream held = Hold(root);
        try
        {
            return new ResultFolder(root, held, Check(Path.Combine(root, RunFile), header, isResumed));
        }
        catch
        {
            held.Dispose();
            throw;
        }
    }

    /// <summary>The result of a run that came to its end before, if only a void one.</summary>
    /// <param name="plan">The run.</param>
    /// <returns>Its result; null without one.</returns>
    public IterationResult? TryRead(PlannedIteration plan)
    {
        string path = Path.Combine(_root, plan.Folder, ResultFile);
        return File.Exists(path) ? Parse(path, LabJson.Default.IterationResult) : null;
    }

    /// <summary>An empty folder for a run; what an unfinished one left in it is removed.</summary>
    /// <param name="plan">The run.</param>
    /// <returns>Its full path.</returns>
    public string Prepare(PlannedIteration plan)
    {
        string path = Path.GetFullPath(Path.Combine(_root, plan.Folder));
        if (Directory.Exists(path))
        {
            Directory.Delete(path, recursive: true);
        }

        Directory.CreateDirectory(path);
        return path;
    }

    /// <summary>Marks a run as finished.</summary>
    /// <param name="plan">The run.</param>
    /// <param name="result">Its result.</param>
    public void Write(PlannedIteration plan, IterationResult result) =>
        Replace(Path.Combine(_root, plan.Folder, ResultFile), JsonSerializer.Serialize(result, LabJson.Default.IterationResult));

    /// <summary>Writes the experiment as it stands.</summary>
    /// <param name="run">The experiment with its results.</param>
    public void WriteRun(LabRunDocument run) => Replace(Path.Combine(_root, RunFile), JsonSerializer.Serialize(run, LabJson.Default.LabRunDocument));

    /// <inheritdoc/>
    public void Dispose() => _held.Dispose();

    // The system lets go of it with the process. It stays in the folder: removing it would let a third in beside one that has it open.
    static FileStream Hold(string root)
    {
        try
        {
            return new FileStream(Path.Combine(root, LockFile), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException held) when (held is not (DirectoryNotFoundException or FileNotFoundException or PathTooLongException))
        {
            throw new LabException($"{root}: another tcpdiag lab run is at work in it. Wait for its end, or choose another --out.");
        }
    }

    static LabRunDocument Check(string path, LabRunDocument header, bool isResumed)
    {
        if (!File.Exists(path))
        {
            return header;
        }

        LabRunDocument there = Parse(path, LabJson.Default.LabRunDocument);
        LabRunDocument begun = isResumed ? Resumption.First(there) : there;
        IReadOnlyList<string> differences = Experiment.FindDifferences(begun, isResumed ? header with { Kernel = begun.Kernel } : header);
        if (differences.Count > 0)
        {
            string more = differences.Count > MaxDifferences ? FormattableString.Invariant($"; {differences.Count - MaxDifferences} more") : string.Empty;
            throw new LabException(
                $"{path}: holds another experiment: {string.Join("; ", differences.Take(MaxDifferences))}{more}. Choose another --out, or remove "
                    + $"it{Upgrade(there, header)}.");
        }

        bool isOfOneBuild = string.Equals(header.Kernel, there.Kernel, StringComparison.Ordinal) && there.Matrix.Sides.All(side => side.System is null);
        return isOfOneBuild ? header : Resumption.Merge(there, header);
    }

    static string Upgrade(LabRunDocument there, LabRunDocument here) =>
        Experiment.FindDifferences(Resumption.First(there), here with { Kernel = there.Kernel }).Count == 0
        ? ", or go on after an upgrade with --resume"
        : string.Empty;

    static T Parse<T>(string path, JsonTypeInfo<T> type)
    {
        try
        {
            return JsonSerializer.Deserialize(File.ReadAllText(path), type) ?? throw new LabException($"{path}: holds null. Remove it.");
        }
        catch (JsonException wrong)
        {
            throw new LabException($"{path}: is no result of the lab ({wrong.Message}). Remove it.");
        }
    }

    static void Replace(string path, string text)
    {
        string fresh = path + ".new";
        File.WriteAllText(fresh, text + "\n");
        File.Move(fresh, path, overwrite: true);
    }
}

/// <summary>What makes two experiments one: everything that a run depends on. Iterations are not among it, since more of them extend an experiment.</summary>
static class Experiment
{
    const string NotGiven = "not given";

    /// <summary>In what an experiment is another one than that of a directory.</summary>
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
            differences.Add(
                string.Create(CultureInfo.InvariantCulture, $"it has {there.Matrix.Iterations} iterations, and {here.Matrix.Iterations} would be fewer"));
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
