using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>An open file descriptor, closed with the handle.</summary>
sealed class FileDescriptor : SafeHandleMinusOneIsInvalid
{
    /// <summary>Creates an empty handle, filled by the marshaller.</summary>
    public FileDescriptor()
        : base(ownsHandle: true)
    {
    }

    /// <summary>The number, for a call that takes several descriptors; valid while this object is not disposed.</summary>
    public int Number => (int)handle;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Libc.Close((int)handle) == 0;
}
