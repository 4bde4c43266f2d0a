using System;
using System.IO;
using System.Runtime.Versioning;

namespace TcpDiag.Capture.Linux;

/// <summary>The file that what was left of a recording becomes, beside the one it was to be.</summary>
[SupportedOSPlatform("linux")]
static class RecoveredFile
{
    const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Creates it: <c>NAME-recovered</c>, or with a number where that is there.</summary>
    /// <param name="output">Full path of the file that the recording was to become.</param>
    /// <param name="end">The end of its name.</param>
    /// <returns>The file, which only its owner may read.</returns>
    public static FileStream Create(string output, string end)
    {
        string start = Path.Combine(Path.GetDirectoryName(output)!, Path.GetFileNameWithoutExtension(output) + "-recovered");
        for (int number = 1; ; number++)
        {
            string path = number == 1 ? start + end : FormattableString.Invariant($"{start}-{number}{end}");
            if (!Path.Exists(path))
            {
                return new FileStream(path, new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, BufferSize = 0, UnixCreateMode = Private });
            }
        }
    }

    /// <summary>Fills it. Half of one would only be taken for all that was recorded: it goes.</summary>
    /// <param name="file">The file, just created.</param>
    /// <param name="fill">Writes it.</param>
    /// <returns>Its path.</returns>
    public static string Fill(FileStream file, Action fill)
    {
        try
        {
            fill();
            return file.Name;
        }
        catch
        {
            File.Delete(file.Name);
            throw;
        }
    }

    /// <summary>Brings it to the disk, so that what it was made of can go.</summary>
    /// <param name="path">The file, written and closed.</param>
    public static void ToDisk(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
        file.Flush(flushToDisk: true);
    }
}
