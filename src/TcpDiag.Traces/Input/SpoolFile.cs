using System;
using System.Buffers;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Traces.Input;

/// <summary>
/// A temporary copy of what cannot be read at positions: compressed data, a pipe. It vanishes when it is closed and,
/// where the system allows, already has no name while it is open. A decompression bomb fills no disk: half of what is
/// free stays free.
/// </summary>
static class SpoolFile
{
    const int ChunkBytes = 1 << 20;

    /// <summary>Copies an input to disk and closes it.</summary>
    /// <param name="source">Read to its end; closed in any case.</param>
    /// <param name="limitBytes">Maximum of bytes to copy; null for half of the free disk.</param>
    /// <exception cref="TraceInputException">The disk is too small, or the temporary folder cannot be written.</exception>
    public static FileStream Copy(TraceInput source, long? limitBytes = null)
    {
        string folder = TemporaryFile.Folder;
        FileStream? copy = null;
        bool isDone = false;
        try
        {
            long limit = limitBytes ?? new DriveInfo(folder).AvailableFreeSpace / 2;
            copy = TemporaryFile.Create("unpacked");
            Fill(source, copy.SafeFileHandle, limit);
            isDone = true;
            return copy;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TraceInputException(source.Path, $"cannot be unpacked to {folder}: {exception.Message}", exception);
        }
        finally
        {
            source.Dispose();
            if (!isDone)
            {
                copy?.Dispose();
            }
        }
    }

    static void Fill(TraceInput source, SafeFileHandle handle, long limit)
    {
        byte[] chunk = ArrayPool<byte>.Shared.Rent(ChunkBytes);
        try
        {
            long length = 0;
            int count;
            while ((count = source.Read(chunk)) > 0)
            {
                if (length + count > limit)
                {
                    throw new TraceInputException(
                        source.Path,
                        $"unpacks to more than {limit} bytes, half of what is free in {TemporaryFile.Folder}. "
                        + "Unpack it elsewhere, or set TMPDIR (TEMP on Windows) to a larger disk.");
                }

                RandomAccess.Write(handle, chunk.AsSpan(0, count), length);
                length += count;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(chunk);
        }
    }
}
