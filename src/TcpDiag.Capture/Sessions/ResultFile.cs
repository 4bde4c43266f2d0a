using System;
using System.IO;

namespace TcpDiag.Capture.Sessions;

/// <summary>The result file, checked before anything is recorded: a recording that cannot be written is wasted work.</summary>
public static class ResultFile
{
    /// <summary>Temporary name of the result until it is complete.</summary>
    /// <param name="output">Full path of the result.</param>
    /// <returns>Full path.</returns>
    public static string Temporary(string output) => output + ".part";

    /// <summary>Checks whether a file of that name is possible, and touches nothing.</summary>
    /// <param name="output">Its path.</param>
    /// <returns>Why there cannot, a sentence; null when there can, judged by its folder.</returns>
    public static string? WhyNoFile(string output)
    {
        if (Directory.Exists(output))
        {
            return $"{output}: is a folder. Name the file to write.";
        }

        return Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(output)))
            ? null
            : $"{output}: the folder to write it to does not exist. Make it, or name another.";
    }

    /// <summary>Tries whether a result can be written, and leaves nothing behind.</summary>
    /// <param name="output">Full path of the result.</param>
    /// <returns>Why not, a sentence; null when it can.</returns>
    public static string? WhyNotWritable(string output)
    {
        if (WhyNoFile(output) is { } why)
        {
            return why;
        }

        try
        {
            Try(output);
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return $"{output} cannot be written: {exception.Message}";
        }
    }

    // A file that an earlier recording has left under the temporary name may be all of its trace: it stays.
    static void Try(string output)
    {
        string temporary = Temporary(output);
        bool isOld = File.Exists(temporary);
        new FileStream(temporary, FileMode.OpenOrCreate, FileAccess.Write).Dispose();
        if (!isOld)
        {
            File.Delete(temporary);
        }

        if (File.Exists(output))
        {
            new FileStream(output, FileMode.Open, FileAccess.Write).Dispose();
        }
    }
}
