using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Store.Rows;

/// <summary>The file of a recording, known by what is in it.</summary>
/// <param name="Path">Its full path; of several files that are read as one, that of the first.</param>
/// <param name="Sha256">SHA-256 of its bytes, lower-case hexadecimal; of several files, of their hashes one behind the other.</param>
/// <param name="Bytes">Its length; of several files, of all.</param>
public sealed record RecordingFile(string Path, string Sha256, long Bytes)
{
    /// <summary>Reads files through.</summary>
    /// <param name="paths">Regular files, one or more.</param>
    /// <returns>What they are.</returns>
    /// <exception cref="IOException">One cannot be read.</exception>
    /// <exception cref="StoreException">One is no regular file, and cannot be read twice.</exception>
    public static RecordingFile Of(params IReadOnlyList<string> paths)
    {
        (string Hash, long Bytes)[] parts = [.. paths.Select(Hash)];
        string hash = parts is [var only] ? only.Hash
            : Convert.ToHexStringLower(SHA256.HashData(Encoding.ASCII.GetBytes(string.Concat(parts.Select(part => part.Hash)))));
        return new(System.IO.Path.GetFullPath(paths[0]), hash, parts.Sum(part => part.Bytes));
    }

    /// <summary>Sees that files are still what they were: a result of a file that was rewritten while it was read is of neither.</summary>
    /// <param name="paths">The files again.</param>
    /// <exception cref="RecordingChangedException">They are not.</exception>
    public void RequireUnchanged(params IReadOnlyList<string> paths)
    {
        if (!string.Equals(Of(paths).Sha256, Sha256, StringComparison.Ordinal))
        {
            throw new RecordingChangedException(Path);
        }
    }

    static (string Hash, long Bytes) Hash(string path)
    {
        using FileStream stream = new(path, new FileStreamOptions { Share = FileShare.ReadWrite | FileShare.Delete, BufferSize = 1 << 17 });
        return stream.CanSeek
            ? (Convert.ToHexStringLower(SHA256.HashData(stream)), stream.Position)
            : throw new StoreException($"{path}: is no regular file. The store knows recordings by their bytes: save it to a file first.");
    }
}
