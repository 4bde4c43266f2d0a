using System;
using System.IO;

namespace TcpDiag.Capture.Sessions;

/// <summary>The place of a result. Looked at before anything is recorded: a recording that has nowhere to go is work for nothing.</summary>
public static class OutputPlace
{
    /// <summary>What stands in place of the result until it is whole.</summary>
    /// <param name="output">Full path of the result.</param>
    /// <returns>Full path.</returns>
    public static string Temporary(string output) => output + ".part";

    /// <summary>Looks whether there can be a file of a name, and touches nothing.</summary>
    /// <param name="output">Its path.</param>
    /// <returns>Why there cannot, a sentence; null when there can as far as folders tell.</returns>
    public static string? WhyNoFile(string output)
    {
        if (Directory.Exists(output))
        {
            return $"{output}: is a folder. Name the file to write.";
        }

        return Directory.Exists(Path.GetDirectoryName(Path.GetFullPath(output))) ? null : $"{output}: the folder to write it to does not exist. Make it, or name another.";
    }

    /// <summary>Tries whether a result can be written; nothing is left of the trial.</summary>
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

    // What an earlier recording has left under the temporary name may be all that there is of its trace: it stays as it is.
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
