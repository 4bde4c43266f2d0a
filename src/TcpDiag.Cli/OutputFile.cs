using System;
using System.Collections.Generic;
using System.IO;

namespace TcpDiag.Cli;

/// <summary>
/// A file that appears under its name when it is complete: written beside it first, then renamed. Without
/// <see cref="Complete"/> nothing is left. <c>-</c> is standard output.
/// </summary>
sealed class OutputFile : IDisposable
{
    const string StandardOutput = "-";

    readonly string _path;
    readonly string? _temporary;
    bool _isComplete;

    OutputFile(string path, string? temporary, Stream stream)
    {
        _path = path;
        _temporary = temporary;
        Stream = stream;
    }

    /// <summary>Where to write; closed by whoever writes, or with this.</summary>
    public Stream Stream { get; }

    /// <summary>Opens an output.</summary>
    /// <param name="path">A file, or <c>-</c>.</param>
    /// <param name="inputs">Files that are read; none of them may be the output.</param>
    /// <returns>The output.</returns>
    /// <exception cref="IOException">It is one of the inputs, or cannot be written.</exception>
    public static OutputFile Create(string path, IEnumerable<string> inputs)
    {
        if (path is StandardOutput)
        {
            return new OutputFile(path, null, StandardStreams.OpenOutput());
        }

        foreach (string input in inputs)
        {
            if (IsSameFile(input, path))
            {
                throw new IOException($"{path}: is read and cannot be written at once. Give the result another name.");
            }
        }

        string temporary = $"{path}.{Environment.ProcessId}.part";
        return new OutputFile(path, temporary, new FileStream(temporary, FileMode.Create, FileAccess.Write, FileShare.Read, bufferSize: 0));
    }

    /// <summary>Gives the file its name; the stream is closed.</summary>
    public void Complete()
    {
        Stream.Dispose();
        if (_temporary is not null)
        {
            File.Move(_temporary, _path, overwrite: true);
        }

        _isComplete = true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stream.Dispose();
        if (!_isComplete && _temporary is not null)
        {
            File.Delete(_temporary);
        }
    }

    static bool IsSameFile(string input, string output) =>
        input is not StandardOutput && string.Equals(Resolve(input), Resolve(output), OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    static string Resolve(string path) => File.Exists(path) && File.ResolveLinkTarget(path, returnFinalTarget: true) is { } target ? target.FullName : Path.GetFullPath(path);
}
