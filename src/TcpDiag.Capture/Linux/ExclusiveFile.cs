using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Native;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// A file that one recorder writes, readable by its user alone. What it held before stays until the first byte is written, so that a recording that
/// does not begin costs nobody an earlier one; a second recorder is refused, while readers may look at what is there.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ExclusiveFile : FileStream
{
    // F_OFD_SETLK (fcntl(2)): a lock of the open file, not of the process; .NET's own are flock(2) and do not meet it.
    const int SetLock = 37;

    bool _isBegun;

    /// <summary>Opens a file.</summary>
    /// <param name="path">Its name; created where it is not there.</param>
    /// <exception cref="CaptureException">Another recording goes into it.</exception>
    /// <exception cref="IOException">It cannot be written.</exception>
    public ExclusiveFile(string path)
        : base(path, new FileStreamOptions
        {
            Mode = FileMode.OpenOrCreate,
            Access = FileAccess.Write,
            BufferSize = 0,
            UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        })
    {
        var wanted = new FileLock { Type = FileLock.Write };
        if (CanSeek && Libc.FileControl(SafeFileHandle, SetLock, wanted) != 0 && Libc.LastError() is Errno.TryAgain or Errno.AccessDenied)
        {
            Dispose();
            throw new CaptureException($"{path} is being written by another recording: wait for it or choose another name.");
        }
    }

    /// <inheritdoc/>
    /// <remarks>The other forms of writing come here, too.</remarks>
    public override void Write(byte[] buffer, int offset, int count)
    {
        if (!_isBegun && CanSeek && Length > 0)
        {
            SetLength(0); // a device has no length, and takes none
        }

        _isBegun = true;
        base.Write(buffer, offset, count);
    }
}
