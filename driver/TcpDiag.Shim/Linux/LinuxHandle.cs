using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Linux;

/// <summary>A file descriptor, closed with the object.</summary>
[SupportedOSPlatform("linux")]
sealed class LinuxHandle() : SafeHandleMinusOneIsInvalid(ownsHandle: true)
{
    protected override bool ReleaseHandle() => Libc.Close(handle) == 0;
}
