using System;
using System.IO;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace TcpDiag.Lab.Results;

/// <summary>
/// The directory a run leaves (docs/lab.md). A run that was finished has its <c>result.json</c>, written last and put in place at once, so an interrupted experiment goes on
/// where it was.
/// </summary>
public sealed class ResultFolder
{
    const string RunFile = "run.json";
    const string ResultFile = "result.json";

    readonly string _root;

    ResultFolder(string root) => _root = root;

    /// <summary>Opens a directory, new or of the same experiment.</summary>
    /// <param name="root">The directory; made if it is not there.</param>
    /// <param name="header">The experiment, without results.</param>
    /// <returns>The directory.</returns>
    /// <exception cref="LabException">It holds another experiment.</exception>
    public static ResultFolder Open(string root, LabRunDocument header)
    {
        Directory.CreateDirectory(root);
        string path = Path.Combine(root, RunFile);
        if (File.Exists(path) && !string.Equals(Text(ReadRun(path)), Text(header), StringComparison.Ordinal))
        {
            throw new LabException($"{path}: holds another experiment (matrix, seed, scale or kernel differ). Choose another --out, or remove it.");
        }

        ResultFolder folder = new(root);
        folder.WriteRun(header);
        return folder;
    }

    /// <summary>The result of a run that was finished before.</summary>
    /// <param name="plan">The run.</param>
    /// <returns>Its result; null when it was not finished.</returns>
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

    static LabRunDocument ReadRun(string path) => Parse(path, LabJson.Default.LabRunDocument);

    static string Text(LabRunDocument run) => JsonSerializer.Serialize(run with { Results = [], IsComplete = false }, LabJson.Default.LabRunDocument);

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
