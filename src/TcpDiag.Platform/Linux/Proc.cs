using System;
using System.Buffers;
using System.Buffers.Text;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Platform.Linux;

/// <summary>Processes as proc(5) shows them. A process may end while it is looked at: then these throw <see cref="IOException"/>.</summary>
static class Proc
{
    const string LinkPrefix = "socket:[";

    // proc_pid_stat(5): starttime is field 22; the first behind the name in parentheses is field 3.
    const int FieldsBehindName = 19;

    /// <summary>All processes, with their folders.</summary>
    public static IEnumerable<(uint Id, string Folder)> Processes()
    {
        foreach (string folder in Directory.EnumerateDirectories("/proc"))
        {
            if (uint.TryParse(Path.GetFileName(folder.AsSpan()), NumberStyles.None, CultureInfo.InvariantCulture, out uint process))
            {
                yield return (process, folder);
            }
        }
    }

    /// <summary>The name of a process as the kernel has it, at most 15 characters.</summary>
    /// <param name="processFolder">Its folder, e.g. <c>/proc/self</c>.</param>
    /// <exception cref="IOException">The process has ended.</exception>
    public static string NameOf(string processFolder) => File.ReadAllText(Path.Join(processFolder, "comm")).TrimEnd('\n');

    /// <summary>The inodes of the sockets that a process holds.</summary>
    /// <param name="processFolder">Its folder, e.g. <c>/proc/self</c>.</param>
    /// <exception cref="IOException">The process has ended.</exception>
    /// <exception cref="UnauthorizedAccessException">We may not look into it.</exception>
    public static IEnumerable<uint> SocketInodes(string processFolder)
    {
        foreach (FileSystemInfo entry in new DirectoryInfo(Path.Join(processFolder, "fd")).EnumerateFileSystemInfos())
        {
            string? link = entry.LinkTarget;
            if (link is not null && link.StartsWith(LinkPrefix, StringComparison.Ordinal)
                && uint.TryParse(link.AsSpan(LinkPrefix.Length).TrimEnd(']'), NumberStyles.None, CultureInfo.InvariantCulture, out uint inode))
            {
                yield return inode;
            }
        }
    }

    /// <summary>
    /// When a process started, in clock ticks since boot as text, which sets it apart from a later one with the same id; empty when there is no such
    /// process.
    /// </summary>
    public static string StartOf(int process)
    {
        try
        {
            return ParseStart(File.ReadAllText(FormattableString.Invariant($"/proc/{process}/stat")));
        }
        catch (IOException)
        {
            return string.Empty;
        }
    }

    /// <summary>
    /// Finds the start time in the text of <c>/proc/PID/stat</c>, where the name may hold spaces and parentheses; empty when the text is something
    /// else.
    /// </summary>
    public static string ParseStart(string stat)
    {
        string[] fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return fields.Length > FieldsBehindName ? fields[FieldsBehindName] : string.Empty;
    }
}

/// <summary>
/// A table below /proc/net, of the namespace the thread was in that opened it, whichever thread reads it later. Rows are lines of words; the first
/// word names the row.
/// </summary>
sealed class ProcTable(string name) : IDisposable
{
    const int MaxBytes = 64 * 1024;

    static ReadOnlySpan<byte> Separators => " \t:"u8;

    readonly SafeFileHandle _file = Open($"/proc/thread-self/net/{name}");

    /// <summary>A number of a row as it stands now. Allocates nothing: it is asked for while packets are under way.</summary>
    /// <param name="row">The first word of the row, without a colon.</param>
    /// <param name="column">Which word, the first being 0.</param>
    /// <returns>The number; 0 when there is no such row, number or word.</returns>
    public long Read(ReadOnlySpan<byte> row, int column)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent(MaxBytes);
        int length = RandomAccess.Read(_file, bytes, 0);
        long number = Find(bytes.AsSpan(0, length), row, column);
        ArrayPool<byte>.Shared.Return(bytes);
        return number;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    static SafeFileHandle Open(string path)
    {
        try
        {
            return File.OpenHandle(path);
        }
        catch (UnauthorizedAccessException)
        {
            throw new PlatformException($"read {path}: permission denied. Run as root.");
        }
    }

    static long Find(ReadOnlySpan<byte> table, ReadOnlySpan<byte> row, int column)
    {
        while (!table.IsEmpty)
        {
            int end = table.IndexOf((byte)'\n');
            ReadOnlySpan<byte> line = end < 0 ? table : table[..end];
            table = table[(line.Length + (end < 0 ? 0 : 1))..];
            if (TakeWord(ref line).SequenceEqual(row))
            {
                return ReadColumn(line, column);
            }
        }

        return 0;
    }

    // What stands behind the name is column 1.
    static long ReadColumn(ReadOnlySpan<byte> line, int column)
    {
        ReadOnlySpan<byte> word = [];
        for (int i = 0; i < column; i++)
        {
            word = TakeWord(ref line);
        }

        return Utf8Parser.TryParse(word, out long number, out int used) && used == word.Length ? number : 0;
    }

    static ReadOnlySpan<byte> TakeWord(scoped ref ReadOnlySpan<byte> line)
    {
        line = line.TrimStart(Separators);
        int length = line.IndexOfAny(Separators);
        ReadOnlySpan<byte> word = length < 0 ? line : line[..length];
        line = line[word.Length..];
        return word;
    }
}
