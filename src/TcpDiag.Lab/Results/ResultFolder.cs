using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace TcpDiag.Lab.Results;

/// <summary>
/// The directory a run leaves (docs/lab.md), held against a second experiment by an open file. A run that was finished has its <c>result.json</c>, written last and put in
/// place at once, so an interrupted experiment goes on where it was.
/// </summary>
public sealed class ResultFolder : IDisposable
{
    const string RunFile = "run.json";
    const string ResultFile = "result.json";
    const string LockFile = "lock";
    const int MaxDifferences = 3;

    readonly string _root;
    readonly FileStream _held;

    ResultFolder(string root, FileStream held)
    {
        _root = root;
        _held = held;
    }

    /// <summary>Opens a directory, new or of the same experiment, perhaps of fewer iterations.</summary>
    /// <param name="root">The directory; made if it is not there.</param>
    /// <param name="header">The experiment, without results.</param>
    /// <returns>The directory; disposing of it lets others have it.</returns>
    /// <exception cref="LabException">It holds another experiment, or one is at work in it.</exception>
    public static ResultFolder Open(string root, LabRunDocument header)
    {
        Directory.CreateDirectory(root);
        FileStream held = Hold(root);
        try
        {
            Check(Path.Combine(root, RunFile), header);
            return new ResultFolder(root, held);
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

    static void Check(string path, LabRunDocument header)
    {
        if (!File.Exists(path))
        {
            return;
        }

        IReadOnlyList<string> differences = Experiment.FindDifferences(Parse(path, LabJson.Default.LabRunDocument), header);
        if (differences.Count > 0)
        {
            string more = differences.Count > MaxDifferences ? FormattableString.Invariant($"; {differences.Count - MaxDifferences} more") : string.Empty;
            throw new LabException($"{path}: holds another experiment: {string.Join("; ", differences.Take(MaxDifferences))}{more}. Choose another --out, or remove it.");
        }
    }

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
