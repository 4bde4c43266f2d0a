using System;
using System.IO.Compression;

namespace TcpDiag.Traces.Input;

/// <summary>
/// The bytes of a trace: a file, what a .gz or .zip holds, or standard input. Sequential always; positioned where
/// <see cref="CanReadAt"/> says so. What goes wrong while reading (a share is lost, the file shrinks, compressed data is
/// damaged) ends the input and is described by <see cref="Damage"/>: what was read before counts.
/// </summary>
public abstract class TraceInput : IDisposable
{
    /// <summary>The file as the user named it; <c>-</c> for standard input.</summary>
    public abstract string Path { get; }

    /// <summary>Length of the (decompressed) bytes, or null when it is not known before the end.</summary>
    public abstract long? Length { get; }

    /// <summary>Whether <see cref="ReadAt"/> works.</summary>
    public abstract bool CanReadAt { get; }

    /// <summary>Why the input ended early, in one line for people; null while nothing went wrong.</summary>
    public virtual string? Damage => null;

    /// <summary>
    /// The bundle whose trace this is, for its other files, open as long as this input; null where there is none, or only its path
    /// leads to it.
    /// </summary>
    internal virtual ZipArchive? Bundle => null;

    /// <summary>Reads the next bytes.</summary>
    /// <param name="destination">Filled from its start.</param>
    /// <returns>Bytes read, fewer than asked for only at the end.</returns>
    public abstract int Read(Span<byte> destination);

    /// <summary>Reads the next bytes that are there, without waiting for more.</summary>
    /// <param name="destination">Filled from its start; not empty.</param>
    /// <returns>Bytes read, at least one; 0 only at the end.</returns>
    public virtual int ReadSome(Span<byte> destination) => Read(destination);

    /// <summary>Reads bytes at a position, without moving the sequential one. May be called from several threads at once.</summary>
    /// <param name="offset">Position in the (decompressed) bytes.</param>
    /// <param name="destination">Filled from its start.</param>
    /// <returns>Bytes read, fewer than asked for only at the end.</returns>
    /// <exception cref="NotSupportedException"><see cref="CanReadAt"/> is false.</exception>
    public abstract int ReadAt(long offset, Span<byte> destination);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the input and removes what was spooled.</summary>
    /// <param name="disposing">True when called from <see cref="Dispose()"/>.</param>
    protected abstract void Dispose(bool disposing);
}

/// <summary>An input cannot be opened, or not be spooled to disk. The message is one line that names it and what to do.</summary>
public sealed class TraceInputException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="path">The file as the user named it, <c>-</c> for standard input.</param>
    /// <param name="problem">What is wrong and what to do, without the path.</param>
    /// <param name="inner">What the operating system said, or null.</param>
    public TraceInputException(string path, string problem, Exception? inner = null)
        : base($"{path}: {problem}", inner) => Path = path;

    /// <summary>The file as the user named it.</summary>
    public string Path { get; }
}
