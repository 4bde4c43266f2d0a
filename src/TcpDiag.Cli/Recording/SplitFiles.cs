using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture;

namespace TcpDiag.Cli.Recording;

/// <summary>The files of a recording in several traces that stand alone: NAME-001.pcapng, NAME-002.pcapng …</summary>
sealed class SplitFiles
{
    readonly string _start;
    readonly string _extension;
    int _number;

    /// <summary>Makes sure that nothing of an earlier recording would be taken for a part of this one.</summary>
    /// <param name="path">The file as the user named it.</param>
    /// <exception cref="CaptureException">There are such files.</exception>
    public SplitFiles(string path)
    {
        _extension = Path.GetExtension(path);
        _start = path[..^_extension.Length];
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        string? other = Directory.Exists(folder) ? Directory.GetFiles(folder).Order(StringComparer.Ordinal).FirstOrDefault(IsPiece) : null;
        if (other is not null)
        {
            throw new CaptureException($"{other} is there: it would be taken for a part of this recording. Remove such files, or choose another name.");
        }
    }

    /// <summary>Where the recording is.</summary>
    public string Remark => $"the recording is in {NameOf(1)}{(_number > 1 ? $" to {NameOf(_number)}" : string.Empty)}; each opens alone, and commands read several as one";

    /// <summary>Names the next.</summary>
    /// <returns>Its path.</returns>
    public string Next() => NameOf(++_number);

    string NameOf(int number) => FormattableString.Invariant($"{_start}-{number:D3}{_extension}");

    // By the name alone: on a disk that tells large letters from small ones so do we.
    bool IsPiece(string file)
    {
        string name = Path.GetFileName(file);
        string start = Path.GetFileName(_start) + "-";
        return name.Length > start.Length + _extension.Length && name.StartsWith(start, StringComparison.Ordinal) && name.EndsWith(_extension, StringComparison.Ordinal)
            && name[start.Length..^_extension.Length].All(char.IsAsciiDigit);
    }
}
