using System;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>The raw events of one processor, a page at a time and without waiting: a read that waits holds pages back until they are overwritten.</summary>
sealed class TracePipe : IDisposable
{
    readonly FileDescriptor _file;

    TracePipe(FileDescriptor file) => _file = file;

    /// <summary>Opens a <c>trace_pipe_raw</c>.</summary>
    /// <param name="path">Its path.</param>
    /// <returns>The pipe.</returns>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public static TracePipe Open(string path)
    {
        FileDescriptor file = Libc.Open(path, Libc.OpenReadOnly | Libc.OpenNonBlocking | Libc.OpenCloseOnExec);
        if (!file.IsInvalid)
        {
            return new(file);
        }

        int error = Libc.LastError();
        throw new CaptureException($"cannot open {path}: {Libc.Describe(error)}. --no-events records packets only.", error);
    }

    /// <summary>Reads one page.</summary>
    /// <param name="page">Takes it; as long as the buffer's pages.</param>
    /// <returns>Its bytes; 0 when nothing is waiting.</returns>
    public unsafe int Read(Span<byte> page)
    {
        fixed (byte* data = page)
        {
            return (int)Math.Max(Libc.Read(_file, data, (nuint)page.Length), 0);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();
}
