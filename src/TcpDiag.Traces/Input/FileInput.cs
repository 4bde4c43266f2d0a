using System;
using System.IO;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Traces.Input;

/// <summary>A seekable file, read with positioned reads: no state is shared between <see cref="ReadAt"/> calls.</summary>
sealed class FileInput : TraceInput
{
    readonly FileStream _file;
    readonly SafeFileHandle _handle;
    readonly long _length;
    long _position;
    string? _damage;

    /// <summary>Takes over an open file.</summary>
    /// <param name="path">The file as the user named it.</param>
    /// <param name="file">Open for reading and seekable; closed with this input.</param>
    /// <param name="damage">Why the file holds less than it should, or null.</param>
    public FileInput(string path, FileStream file, string? damage = null)
    {
        Path = path;
        _file = file;
        _handle = file.SafeFileHandle;
        _length = RandomAccess.GetLength(_handle);
        _damage = damage;
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override long? Length => _length;

    /// <inheritdoc/>
    public override bool CanReadAt => true;

    /// <inheritdoc/>
    public override string? Damage => _damage;

    /// <inheritdoc/>
    public override int Read(Span<byte> destination)
    {
        int count = ReadAt(_position, destination);
        _position += count;
        return count;
    }

    /// <inheritdoc/>
    public override int ReadAt(long offset, Span<byte> destination)
    {
        int count = 0;
        try
        {
            while (count < destination.Length)
            {
                int read = RandomAccess.Read(_handle, destination[count..], offset + count);
                if (read == 0)
                {
                    break;
                }

                count += read;
            }
        }
        catch (IOException exception)
        {
            _damage ??= $"reading stopped at byte {offset + count}: {exception.Message}";
            return count;
        }

        if (count < destination.Length && offset + count < _length)
        {
            _damage ??= $"the file shrank while it was read, from {_length} bytes to {offset + count}";
        }

        return count;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _file.Dispose();
}
