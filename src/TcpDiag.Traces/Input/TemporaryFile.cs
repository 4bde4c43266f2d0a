using System;
using System.IO;

namespace TcpDiag.Traces.Input;

/// <summary>
/// A file of this process alone, in the folder for temporary ones. Where the system allows it has no name: it is gone with the process, however that ends.
/// </summary>
public static class TemporaryFile
{
    /// <summary>Where such files are.</summary>
    public static string Folder => Path.GetTempPath();

    /// <summary>Creates an empty one, to be read and written at positions.</summary>
    /// <param name="content">What it is for, a word; on Windows it is in its name.</param>
    /// <exception cref="TemporaryFileException">The folder cannot be written.</exception>
    public static FileStream Create(string content)
    {
        string path = Path.Combine(Folder, FormattableString.Invariant($"tcpdiag-{content}-{Guid.NewGuid():N}.tmp"));
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Options = FileOptions.DeleteOnClose, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        }

        try
        {
            var file = new FileStream(path, options);
            if (!OperatingSystem.IsWindows())
            {
                File.Delete(path); // what is open stays until it is closed; on Windows it goes when it is
            }

            return file;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new TemporaryFileException(exception);
        }
    }

    /// <summary>Writes bytes at a position.</summary>
    /// <exception cref="TemporaryFileException">The disk is full, or fails.</exception>
    public static void Write(FileStream file, ReadOnlySpan<byte> bytes, long position)
    {
        ArgumentNullException.ThrowIfNull(file);
        try
        {
            RandomAccess.Write(file.SafeFileHandle, bytes, position);
        }
        catch (IOException exception)
        {
            throw new TemporaryFileException(exception);
        }
    }

    /// <summary>Reads bytes at a position, all that are asked for.</summary>
    /// <exception cref="TemporaryFileException">The disk fails, or the file is shorter.</exception>
    public static void Read(FileStream file, Span<byte> bytes, long position)
    {
        ArgumentNullException.ThrowIfNull(file);
        try
        {
            int count = 1;
            for (; bytes.Length > 0 && count > 0; bytes = bytes[count..], position += count)
            {
                count = RandomAccess.Read(file.SafeFileHandle, bytes, position);
            }
        }
        catch (IOException exception)
        {
            throw new TemporaryFileException(exception);
        }

        if (bytes.Length > 0)
        {
            throw new TemporaryFileException(new EndOfStreamException());
        }
    }
}

/// <summary>What does not fit memory does not fit the folder for temporary files either.</summary>
public sealed class TemporaryFileException : IOException
{
    /// <summary>For the runtime.</summary>
    public TemporaryFileException()
    {
    }

    /// <summary>With a message.</summary>
    /// <param name="message">The message.</param>
    public TemporaryFileException(string message)
        : base(message)
    {
    }

    /// <summary>With a message and its cause.</summary>
    /// <param name="message">The message.</param>
    /// <param name="inner">The cause.</param>
    public TemporaryFileException(string message, Exception inner)
        : base(message, inner)
    {
    }

    internal TemporaryFileException(Exception cause)
        : this($"{TemporaryFile.Folder}: what does not fit memory cannot be kept there: {cause.Message}", cause)
    {
    }
}
