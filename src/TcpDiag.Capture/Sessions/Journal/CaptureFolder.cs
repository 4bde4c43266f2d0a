using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Sessions.Journal;

/// <summary>
/// The folder of one recording: a lock, the journal, and the trace while it is written. The process that holds the lock works on the
/// recording; the system frees it when that process ends, however it ends. A folder with a free lock belongs to an
/// interrupted recording.
/// </summary>
public sealed class CaptureFolder : IDisposable
{
    const string LockName = "lock";
    const string JournalName = "journal.jsonl";

    // An antivirus or an indexer holds new files open for a moment, and Windows does not remove an open file.
    const int RemoveAttempts = 11;
    static readonly TimeSpan RemoveInterval = TimeSpan.FromMilliseconds(200);

    readonly FileStream _lock;
    readonly FileStream _journal;
    readonly List<JournalEntry> _entries;

    CaptureFolder(string path, FileStream held)
    {
        Path = path;
        _lock = held;
        _journal = new FileStream(System.IO.Path.Combine(path, JournalName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.Read, bufferSize: 0);
        _entries = ReadJournal(_journal);
    }

    /// <summary>The folder.</summary>
    public string Path { get; }

    /// <summary>The trace while it is recorded.</summary>
    public string TraceFile => System.IO.Path.Combine(Path, "trace.etl");

    /// <summary>The snapshot of the beginning; exists once it was taken.</summary>
    public string SnapshotFile => System.IO.Path.Combine(Path, BundleManifest.SnapshotName);

    /// <summary>The journal; others may read it while it is written.</summary>
    public string JournalFile => _journal.Name;

    /// <summary>Entries of the journal, oldest first.</summary>
    public IReadOnlyList<JournalEntry> Journal => _entries;

    /// <summary>Creates the folder of a new recording.</summary>
    /// <param name="root">Holds the folders of all recordings.</param>
    /// <param name="now">Part of its name.</param>
    /// <param name="whyNotPrivate">Checks its parent folders; by the system's own rights if not given.</param>
    /// <returns>The folder, locked.</returns>
    /// <exception cref="IOException">It cannot be created.</exception>
    /// <exception cref="CaptureException">Someone other than an administrator can change a folder that contains it.</exception>
    public static CaptureFolder Create(string root, DateTimeOffset now, Func<string, string?>? whyNotPrivate = null)
    {
        string path = System.IO.Path.Combine(root, FormattableString.Invariant($"{now.UtcDateTime:yyyyMMdd-HHmmss}-{Environment.ProcessId}"));
        PrivateFolder.Create(root, whyNotPrivate ?? PrivateFolder.WhyNot);
        PrivateFolder.Create(path, whyNotPrivate ?? PrivateFolder.WhyNot);
        return new(path, Lock(path));
    }

    /// <summary>Takes over the folders of interrupted recordings.</summary>
    /// <param name="root">Holds the folders of all recordings; need not exist.</param>
    /// <param name="whyNotPrivate">Checks who can change them.</param>
    /// <returns>The folders, locked, oldest first. Those of recordings that still run are left out.</returns>
    /// <exception cref="CaptureException">Someone other than an administrator can change one of them: its journal must not be trusted.</exception>
    public static IEnumerable<CaptureFolder> TakeLeft(string root, Func<string, string?> whyNotPrivate)
    {
        if (!Directory.Exists(root))
        {
            yield break;
        }

        PrivateFolder.Require(System.IO.Path.GetDirectoryName(root)!, whyNotPrivate);
        PrivateFolder.Require(root, whyNotPrivate);
        foreach (string path in Directory.EnumerateDirectories(root).Order(StringComparer.Ordinal).ToList())
        {
            PrivateFolder.Require(path, whyNotPrivate);
            PrivateFolder.Require(System.IO.Path.Combine(path, JournalName), whyNotPrivate);
            if (TryTake(path) is { } folder)
            {
                yield return folder;
            }
        }
    }

    /// <summary>Writes a line to the disk, not only to the system's cache.</summary>
    /// <param name="entry">The line.</param>
    /// <exception cref="IOException">It cannot be written, e.g. to a full disk; nothing of it stays.</exception>
    public void Write(JournalEntry entry)
    {
        long end = _journal.Length;
        try
        {
            _journal.Write([.. JsonSerializer.SerializeToUtf8Bytes(entry, JournalJsonContext.Default.JournalEntry), (byte)'\n']);
            _journal.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            // What follows half a line would never be read.
            _journal.SetLength(end);
            _journal.Seek(end, SeekOrigin.Begin);
            throw;
        }

        _entries.Add(entry);
    }

    /// <summary>Removes the folder with its content. Can be repeated when it fails.</summary>
    /// <returns>A sentence that it is left, and why; null when it has gone.</returns>
    public string? Remove()
    {
        using var pause = new ManualResetEventSlim();
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                RemoveAll();
                return null;
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                if (attempt == RemoveAttempts)
                {
                    return $"{Path} is left; the next capture removes it: {exception.Message}";
                }
            }

            _ = pause.Wait(RemoveInterval);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _journal.Dispose();
        _lock.Dispose();
    }

    static FileStream Lock(string path) =>
        new(System.IO.Path.Combine(path, LockName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);

    // A dying process may have released its lock but not yet its journal: it still counts as running, as does one whose folder is just being removed.
    static CaptureFolder? TryTake(string path)
    {
        FileStream? held = null;
        try
        {
            held = Lock(path);
            return new(path, held);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            held?.Dispose();
            return null;
        }
    }

    // The journal goes last: without it a recovery would not know that the rest is no longer needed.
    void RemoveAll()
    {
        if (!Directory.Exists(Path))
        {
            return; // a recovery has removed it
        }

        foreach (string path in Directory.GetFileSystemEntries(Path).Where(path => System.IO.Path.GetFileName(path) is not (LockName or JournalName)))
        {
            if (Directory.Exists(path))
            {
                Directory.Delete(path, recursive: true);
            }
            else
            {
                File.Delete(path);
            }
        }

        Dispose();
        Directory.Delete(Path, recursive: true);
    }

    // A power cut may leave half a line at the end, and a journal without a line belongs to a recording that did nothing. The half line is removed: what
    // follows it would never be read. A journal of which nothing can be read stays as it is, for people.
    static List<JournalEntry> ReadJournal(FileStream journal)
    {
        byte[] bytes = new byte[journal.Length];
        journal.ReadExactly(bytes);
        var entries = new List<JournalEntry>();
        int whole = 0;
        while (Array.IndexOf(bytes, (byte)'\n', whole) is >= 0 and int end && TryRead(bytes.AsSpan(whole, end - whole)) is { } entry)
        {
            entries.Add(entry);
            whole = end + 1;
        }

        if (whole > 0)
        {
            journal.SetLength(whole);
            journal.Seek(whole, SeekOrigin.Begin);
        }

        return entries;
    }

    static JournalEntry? TryRead(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonSerializer.Deserialize(line, JournalJsonContext.Default.JournalEntry);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
