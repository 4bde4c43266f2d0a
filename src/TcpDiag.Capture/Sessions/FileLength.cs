using System;
using System.IO;

namespace TcpDiag.Capture.Sessions;

/// <summary>The length of a file that somebody else is writing; folders on NTFS tell it late, an open handle at once.</summary>
static class FileLength
{
    /// <summary>Asks for the length.</summary>
    /// <param name="path">The file.</param>
    /// <returns>Bytes; 0 when there is no such file or it cannot be opened.</returns>
    public static long Of(string path)
    {
        try
        {
            using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return RandomAccess.GetLength(handle);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }
}
