using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;

namespace TcpDiag.Cli;

/// <summary>
/// A file that appears under its name when it is complete: written beside it first, then renamed. Without
/// <see cref="Complete"/> nothing is left. <c>-</c> is standard output. What exists and is empty is written in place:
/// it may be a device or a pipe, which a renamed file would replace. A link stays, and leads to the result. What is not empty is
/// replaced on request alone (<see cref="ForceOption"/>).
/// </summary>
sealed class OutputFile : IDisposable
{
    const string StandardOutput = "-";

    readonly string _path;
    readonly string? _temporary;
    readonly bool _isForced;
    bool _isComplete;

    OutputFile(string path, string? temporary, Stream stream, bool isForced = false)
    {
        _path = path;
        _isForced = isForced;
        _temporary = temporary;
        Stream = stream;
        AppDomain.CurrentDomain.ProcessExit += Abandon;
    }

    /// <summary>Takes the content; closed by the writer of it, or with this.</summary>
    public Stream Stream { get; }

    /// <summary>Opens an output.</summary>
    /// <param name="path">A file, or <c>-</c>.</param>
    /// <param name="inputs">Files that are read; none of them may be the output.</param>
    /// <param name="isForced">Whether a file that is there is replaced.</param>
    /// <exception cref="IOException">It is one of the inputs, or cannot be written.</exception>
    /// <exception cref="OutputTakenException">It is there already.</exception>
    public static OutputFile Create(string path, IEnumerable<string> inputs, bool isForced)
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

        if (Directory.Exists(path))
        {
            throw new IOException($"{path}: is a folder. Name the file to write.");
        }

        RequireFree(path, isForced);
        return OpenInPlace(path) is { } inPlace ? new OutputFile(path, null, inPlace) : OpenBeside(FollowLinks(path), isForced);
    }

    /// <summary>Refuses a file that would be replaced unasked. An empty one, a device and a pipe hold nothing that could be lost.</summary>
    /// <param name="path">The file, or <c>-</c>.</param>
    /// <param name="isForced">Whether a file that is there is replaced.</param>
    /// <exception cref="OutputTakenException">It is there already.</exception>
    public static void RequireFree(string? path, bool isForced)
    {
        if (!isForced && path is not (null or StandardOutput) && new FileInfo(FollowLinks(path)) is { Exists: true, Length: > 0 })
        {
            throw new OutputTakenException($"{path}: is there already, and would be replaced. Name another file to write, or --force to replace it.");
        }
    }

    /// <summary>Removes a file that was written; a link to it stays.</summary>
    public static void Remove(string path) => File.Delete(FollowLinks(path));

    /// <summary>Gives the file its name; the stream is closed.</summary>
    public void Complete()
    {
        Stream.Dispose();
        if (_temporary is not null)
        {
            File.Move(_temporary, _path, _isForced);
        }

        _isComplete = true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= Abandon;
        Stream.Dispose();
        if (!_isComplete && _temporary is not null)
        {
            File.Delete(_temporary);
        }
    }

    static FileStream? OpenInPlace(string path)
    {
        FileStream existing;
        try
        {
            existing = Open(path, FileMode.Open);
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }

        if (!existing.CanSeek || existing.Length == 0)
        {
            return existing;
        }

        existing.Dispose();
        return null;
    }

    static OutputFile OpenBeside(string path, bool isForced)
    {
        string temporary = $"{path}.{Environment.ProcessId}.part";
        try
        {
            return new OutputFile(path, temporary, Open(temporary, FileMode.Create), isForced);
        }
        catch (DirectoryNotFoundException exception)
        {
            throw new IOException($"{path}: the folder to write it to does not exist", exception);
        }
    }

    static FileStream Open(string path, FileMode mode) => new(path, mode, FileAccess.Write, FileShare.Read | FileShare.Delete, bufferSize: 0);

    // The process ends while a read waits for a pipe: this will not be disposed of.
    void Abandon(object? sender, EventArgs e)
    {
        if (!_isComplete && _temporary is not null)
        {
            File.Delete(_temporary);
        }
    }

    static bool IsSameFile(string input, string output) =>
        input is not StandardOutput
        && string.Equals(Resolve(input), Resolve(output), OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    static string Resolve(string path) => Path.GetFullPath(FollowLinks(path));

    static string FollowLinks(string path)
    {
        var file = new FileInfo(path);
        return file.LinkTarget is null ? path : file.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? path;
    }
}

/// <summary><c>--force</c>, the same for every command that writes a file.</summary>
static class ForceOption
{
    /// <summary>Creates the option.</summary>
    public static Option<bool> Create() => new("--force") { Description = "Replace a file to be written that is there already" };
}

/// <summary>A file to be written is there already.</summary>
/// <param name="message">Which, and what to do.</param>
sealed class OutputTakenException(string message) : Exception(message);
