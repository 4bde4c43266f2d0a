using System;
using System.Buffers;
using System.Buffers.Text;
using System.IO;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Linux;

/// <summary>
/// A table below /proc/net, of the namespace the thread was in that opened it, whichever thread reads it later. Rows are lines of words; the first word names the row.
/// </summary>
[SupportedOSPlatform("linux")]
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
            throw new ShimException($"read {path}: permission denied. Run as root.");
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
