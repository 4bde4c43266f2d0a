using System;
using System.IO;
using System.Text;
using System.Text.Json;

namespace TcpDiag.Scores.Bisections;

/// <summary>
/// The file that holds a journal. It is replaced as a whole after each run, so that whatever ends the program, and whenever, a whole journal is there. A second
/// file beside it is held open while one program works on it, against another.
/// </summary>
public sealed class BisectFile : IDisposable
{
    // Far above 10,000 items with 1000 pairs in each of their 15 steps.
    const long MaxBytes = 64 << 20;

    readonly string _path;
    readonly FileStream _held;

    BisectFile(string path, FileStream held) => (_path, _held) = (path, held);

    /// <summary>Begins a search.</summary>
    /// <param name="path">The file, which must not be there.</param>
    /// <param name="journal">The journal.</param>
    /// <returns>The file, held until it is disposed of.</returns>
    /// <exception cref="BisectException">It is there, or another program works on it.</exception>
    public static BisectFile Create(string path, BisectJournal journal)
    {
        BisectFile file = new(path, Hold(path));
        try
        {
            if (File.Exists(path))
            {
                throw new BisectException($"{path}: a search is under way. tcpdiag bisect log shows it, tcpdiag bisect reset ends it.");
            }

            file.Write(journal);
            return file;
        }
        catch
        {
            if (!File.Exists(path))
            {
                File.Delete(LockOf(path));
            }

            file.Dispose();
            throw;
        }
    }

    /// <summary>Opens a search that is under way.</summary>
    /// <param name="path">The file.</param>
    /// <returns>The file, held until it is disposed of, and its journal.</returns>
    /// <exception cref="BisectException">There is none, it is damaged, or another program works on it.</exception>
    public static (BisectFile File, BisectJournal Journal) Open(string path)
    {
        if (!File.Exists(path))
        {
            throw Missing(path);
        }

        BisectFile file = new(path, Hold(path));
        try
        {
            return (file, Read(path));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Reads a journal, whoever works on it.</summary>
    /// <param name="path">The file.</param>
    /// <returns>The journal.</returns>
    /// <exception cref="BisectException">There is none, or it is damaged.</exception>
    public static BisectJournal Read(string path)
    {
        if (!File.Exists(path))
        {
            throw Missing(path);
        }

        long bytes = new FileInfo(path).Length;
        return bytes > MaxBytes ? throw Damaged(path, $"{bytes} bytes, expected at most {MaxBytes}") : Parse(path, File.ReadAllText(path));
    }

    /// <summary>Puts a new journal in the place of the old one.</summary>
    /// <param name="journal">The journal.</param>
    /// <exception cref="IOException">It cannot be written; the old one is still there.</exception>
    public void Write(BisectJournal journal)
    {
        string fresh = _path + ".new";
        try
        {
            using (FileStream stream = new(fresh, FileMode.Create, FileAccess.Write))
            {
                stream.Write(Encoding.UTF8.GetBytes(Text(journal) + "\n"));
                stream.Flush(flushToDisk: true);
            }

            File.Move(fresh, _path, overwrite: true);
        }
        catch
        {
            File.Delete(fresh);
            throw;
        }
    }

    /// <summary>Ends a search, whatever the file holds.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="BisectException">There is none, or another program works on it.</exception>
    public static void Remove(string path)
    {
        if (!File.Exists(path))
        {
            throw Missing(path);
        }

        using FileStream held = Hold(path);
        File.Delete(path);
        File.Delete(path + ".new");
        File.Delete(LockOf(path));
    }

    /// <summary>A journal as it is written.</summary>
    /// <param name="journal">The journal.</param>
    /// <returns>The document.</returns>
    public static string Text(BisectJournal journal) => JsonSerializer.Serialize(journal, BisectJson.Default.BisectJournal);

    /// <summary>Reads the text of a journal.</summary>
    /// <param name="path">Where it is from.</param>
    /// <param name="text">The text.</param>
    /// <returns>The journal.</returns>
    /// <exception cref="BisectException">It is none, or contradicts itself.</exception>
    public static BisectJournal Parse(string path, string text)
    {
        try
        {
            BisectJournal journal = JsonSerializer.Deserialize(text, BisectJson.Default.BisectJournal) ?? throw Damaged(path, "null");
            if (journal.FindDamage() is { } damage)
            {
                throw Damaged(path, damage);
            }

            _ = Bisection.Of(journal);
            return journal;
        }
        catch (JsonException wrong)
        {
            throw Damaged(path, wrong.Message);
        }
        catch (BisectException wrong) when (!wrong.Message.StartsWith(path, StringComparison.Ordinal))
        {
            throw Damaged(path, wrong.Message);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _held.Dispose();

    static string LockOf(string path) => path + ".lock";

    // The system lets go of it with the process.
    static FileStream Hold(string path)
    {
        try
        {
            return new FileStream(LockOf(path), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException held) when (held is not (DirectoryNotFoundException or FileNotFoundException or PathTooLongException) && File.Exists(LockOf(path)))
        {
            throw new BisectException($"{path}: another tcpdiag bisect is at work on it. Wait for its end, or name another --journal.");
        }
    }

    static BisectException Missing(string path) => new($"{path}: no search is under way. Begin one: tcpdiag bisect start --good ITEM --bad ITEM.");

    static BisectException Damaged(string path, string found) =>
        new($"{path}: is no journal of tcpdiag bisect, or a damaged one ({found}). tcpdiag bisect reset removes it.");
}
