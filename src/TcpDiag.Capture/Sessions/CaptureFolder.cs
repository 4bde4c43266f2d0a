using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// The folder of one recording: a lock, the journal, and the trace while it is written. Whoever holds the lock works on the
/// recording; the system frees it when that process ends, however it ends. What is left with a free lock belongs to a
/// recording that did not get to its end.
/// </summary>
public sealed class CaptureFolder : IDisposable
{
    const string LockName = "lock";
    const string JournalName = "journal.jsonl";

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

    /// <summary>What the machine was like when it began; there once it was taken.</summary>
    public string SnapshotFile => System.IO.Path.Combine(Path, BundleManifest.SnapshotName);

    /// <summary>The journal; may be read by others while it is written.</summary>
    public string JournalFile => _journal.Name;

    /// <summary>What the journal tells, oldest first.</summary>
    public IReadOnlyList<JournalEntry> Journal => _entries;

    /// <summary>Creates the folder of a new recording.</summary>
    /// <param name="root">Holds the folders of all recordings.</param>
    /// <param name="now">Part of its name.</param>
    /// <param name="whyNotPrivate">Judges the folders it lies in; by the system's own rights if not given.</param>
    /// <returns>The folder, locked.</returns>
    /// <exception cref="IOException">It cannot be created.</exception>
    /// <exception cref="CaptureException">Others than administrators can change a folder it lies in.</exception>
    public static CaptureFolder Create(string root, DateTimeOffset now, Func<string, string?>? whyNotPrivate = null)
    {
        string path = System.IO.Path.Combine(root, FormattableString.Invariant($"{now.UtcDateTime:yyyyMMdd-HHmmss}-{Environment.ProcessId}"));
        PrivateFolder.Create(root, whyNotPrivate ?? PrivateFolder.WhyNot);
        PrivateFolder.Create(path, whyNotPrivate ?? PrivateFolder.WhyNot);
        return new(path, Lock(path));
    }

    /// <summary>Takes over the folders of recordings that did not get to their end.</summary>
    /// <param name="root">Holds the folders of all recordings; need not exist.</param>
    /// <param name="whyNotPrivate">Judges them.</param>
    /// <returns>The folders, locked, oldest first. Those of recordings that still run are left out.</returns>
    /// <exception cref="CaptureException">Others than administrators can change one of them: what its journal says must not be done.</exception>
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
            if (TryLock(path) is { } held)
            {
                yield return new(path, held);
            }
        }
    }

    /// <summary>Writes a line to the disk, not only to the system's cache.</summary>
    /// <param name="entry">The line.</param>
    public void Write(JournalEntry entry)
    {
        _journal.Write([.. JsonSerializer.SerializeToUtf8Bytes(entry, JournalJsonContext.Default.JournalEntry), (byte)'\n']);
        _journal.Flush(flushToDisk: true);
        _entries.Add(entry);
    }

    /// <summary>Removes the folder with all that is in it.</summary>
    public void Remove()
    {
        Dispose();
        Directory.Delete(Path, recursive: true);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _journal.Dispose();
        _lock.Dispose();
    }

    static FileStream Lock(string path) =>
        new(System.IO.Path.Combine(path, LockName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);

    static FileStream? TryLock(string path)
    {
        try
        {
            return Lock(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    // A power cut may leave half a line at the end, and a journal without a line belongs to a recording that did nothing. The half line goes: behind it
    // nothing that is written would be read again. A journal of which nothing can be read stays as it is, for people.
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
