using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using TcpDiag.Store.Ingest;

namespace TcpDiag.Store.ClickHouse;

/// <summary>
/// Names of files that hold on all machines: a drop folder carries a name of its own, in a file that begins with a point, so that one folder is the same
/// wherever it is mounted, and folders of the same path on two machines are two.
/// </summary>
sealed class FolderNames
{
    const string MarkName = ".tcpdiag-folder";
    const int MarkBytes = 16;

    readonly Dictionary<string, string> _marks = new(StringComparer.Ordinal);

    /// <summary>The name of a file.</summary>
    public string Of(DropFile file) => file.Root.Length == 0 ? $"{Environment.MachineName}:{file.Path}"
        : $"{MarkOf(file.Root)}:{Path.GetRelativePath(file.Root, file.Path).Replace('\\', '/')}";

    string MarkOf(string root)
    {
        if (!_marks.TryGetValue(root, out string? mark))
        {
            _marks[root] = mark = Read(root) ?? Make(root) ?? $"{Environment.MachineName}:{root}";
        }

        return mark;
    }

    static string? Read(string root)
    {
        try
        {
            string text = File.ReadAllText(Path.Combine(root, MarkName)).Trim();
            return text.Length == 2 * MarkBytes ? text : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // Moved into its place as a whole; of several the first one's stays. A folder that nobody may write to has no mark.
    static string? Make(string root)
    {
        string path = Path.Combine(root, MarkName);
        string made = $"{path}.{Guid.NewGuid():N}";
        try
        {
            File.WriteAllText(made, Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(MarkBytes)));
            File.Move(made, path, overwrite: false);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            File.Delete(made);
        }

        return Read(root);
    }
}
