using System.Runtime.InteropServices;

namespace TcpDiag.Capture.Linux.Native;

/// <summary>An open file descriptor, closed with the handle.</summary>
sealed class FileDescriptor : SafeHandle
{
    /// <summary>Creates an empty handle, filled by the marshaller.</summary>
    public FileDescriptor()
        : base(-1, ownsHandle: true)
    {
    }

    /// <summary>The number, for a call that takes several descriptors; valid while this object is not disposed.</summary>
    public int Number => unchecked((int)handle);

    /// <inheritdoc/>
    // The calls return 32 bits; the upper half of the handle is not theirs.
    public override bool IsInvalid => Number < 0;

    /// <inheritdoc/>
    protected override bool ReleaseHandle() => Libc.Close(Number) == 0;
}
