using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Linux;

/// <summary>A file descriptor, closed with the object.</summary>
[SupportedOSPlatform("linux")]
sealed class LinuxHandle : SafeHandleMinusOneIsInvalid
{
    /// <summary>Takes a descriptor over; −1 makes an invalid handle.</summary>
    public LinuxHandle(int descriptor)
        : base(ownsHandle: true) => SetHandle(descriptor);

    protected override bool ReleaseHandle() => Libc.Close((int)handle) == 0;
}
