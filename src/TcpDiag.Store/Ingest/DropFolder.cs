using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Store.Ingest;

/// <summary>A file that lies in a drop folder.</summary>
/// <param name="Root">The drop folder; empty for a file that was named by itself, which is never moved.</param>
/// <param name="Path">Its full path.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="ModifiedNanos">When it was last written, nanoseconds since the Unix epoch.</param>
public sealed record DropFile(string Root, string Path, long Bytes, long ModifiedNanos)
{
    /// <summary>Looks at a file.</summary>
    /// <param name="root">The drop folder, or nothing.</param>
    /// <param name="path">Its path.</param>
    /// <returns>Null where it is gone, or empty.</returns>
    public static DropFile? Of(string root, string path)
    {
        try
        {
            // Pipes and devices have no bytes either: opening one could wait for ever.
            var file = new FileInfo(path);
            return file is { Exists: true, Length: > 0 }
                ? new(root, file.FullName, file.Length, (file.LastWriteTimeUtc - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick) : null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null; // gone meanwhile, or not ours to read
        }
    }
}

/// <summary>
/// Finds the files of a drop folder that are complete. One that was moved in is, as it was written long ago; one that is written there is once it has not
/// changed for a while. The clock of the system may jump: what counts is time that passes.
/// </summary>
/// <param name="root">The folder.</param>
/// <param name="store">The store, which may lie in it and is no recording.</param>
/// <param name="settle">How long a file must not have changed.</param>
/// <param name="time">The clock.</param>
/// <param name="passedOver">Told once of each file whose name is no text: nothing can open it by the name that the system gives us.</param>
public sealed class DropFolder(string root, string store, TimeSpan settle, TimeProvider time, Action<string>? passedOver = null)
{
    /// <summary>The folder in it in which files are set aside.</summary>
    public const string RejectedName = "rejected";

    static readonly string[] Unfinished = [".part", ".partial", ".tmp", ".crdownload", ".filepart"];

    // What people lay beside recordings: it stays, and is no poison.
    static readonly string[] Beside = [".txt", ".md", ".json", ".csv", ".log", ".html", ".xml", ".yaml", ".yml", ".sha256", ".sig", ".asc"];

    // In the place of bytes that are no UTF-8.
    const char NoText = '\uFFFD';

    static readonly EnumerationOptions All = new() { RecurseSubdirectories = true, IgnoreInaccessible = true, AttributesToSkip = FileAttributes.ReparsePoint };

    readonly string _root = Path.GetFullPath(root);
    readonly string _store = Path.GetFullPath(store);
    readonly Dictionary<string, (DropFile File, long Since)> _seen = new(StringComparer.Ordinal);
    readonly HashSet<string> _passedOver = new(StringComparer.Ordinal);

    /// <summary>Files that were still changing at the last look.</summary>
    public int Unsettled { get; private set; }

    /// <summary>Looks at the folder.</summary>
    /// <returns>The complete files.</returns>
    /// <exception cref="StoreException">The folder is not there.</exception>
    public IReadOnlyList<DropFile> Look()
    {
        if (!Directory.Exists(_root))
        {
            throw new StoreException($"{root}: there is no such folder to take recordings from.");
        }

        var settled = new List<DropFile>();
        Unsettled = 0;
        foreach (string path in Directory.EnumerateFiles(_root, "*", All))
        {
            if (!IsCandidate(path))
            {
                continue;
            }

            if (DropFile.Of(_root, path) is { } file)
            {
                if (IsSettled(file))
                {
                    settled.Add(file);
                }
                else
                {
                    Unsettled++;
                }
            }
            else if (path.Contains(NoText, StringComparison.Ordinal) && _passedOver.Add(path))
            {
                passedOver?.Invoke(path);
            }
        }

        return settled;
    }

    bool IsSettled(DropFile file)
    {
        long now = time.GetTimestamp();
        if (!_seen.TryGetValue(file.Path, out (DropFile File, long Since) seen) || seen.File != file)
        {
            _seen[file.Path] = seen = (file, now);
        }

        long age = ((time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick) - file.ModifiedNanos;
        return age >= settle.Ticks * TimeSpan.NanosecondsPerTick || time.GetElapsedTime(seen.Since, now) >= settle;
    }

    // SQLite keeps a log, an index of it and at times a journal beside the file (sqlite.org/tempfiles.html).
    bool IsOfStore(string path) => path.StartsWith(_store, StringComparison.Ordinal) && path[_store.Length..] is ("" or "-wal" or "-shm" or "-journal");

    bool IsCandidate(string path)
    {
        string below = Path.GetRelativePath(_root, path);
        string name = Path.GetFileName(path);
        return !name.StartsWith('.') && !IsOfStore(path)
            && !below.StartsWith(RejectedName + Path.DirectorySeparatorChar, StringComparison.Ordinal)
            && name is not "README"
            && !Array.Exists([.. Unfinished, .. Beside], end => name.EndsWith(end, StringComparison.OrdinalIgnoreCase));
    }
}

/// <summary>Sets files aside that cannot be read, with the reason beside them.</summary>
static class RejectedFiles
{
    /// <summary>Moves a file into the folder <c>rejected</c> of its drop folder. Where that cannot be, it stays: the leases knows it.</summary>
    /// <param name="file">The file.</param>
    /// <param name="reason">Why.</param>
    public static void SetAside(DropFile file, string reason)
    {
        if (file.Root.Length == 0)
        {
            return;
        }

        try
        {
            string folder = Path.Combine(file.Root, DropFolder.RejectedName);
            Directory.CreateDirectory(folder);
            string target = FreeName(Path.Combine(folder, Path.GetFileName(file.Path)));
            File.Move(file.Path, target);
            File.WriteAllText(target + ".reason.txt", reason + "\n");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A folder that others own: nothing is moved there.
        }
    }

    static string FreeName(string wished)
    {
        string name = wished;
        for (int i = 2; File.Exists(name); i++)
        {
            name = FormattableString.Invariant($"{wished}.{i}");
        }

        return name;
    }
}
