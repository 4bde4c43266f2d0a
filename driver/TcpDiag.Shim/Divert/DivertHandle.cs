using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace TcpDiag.Shim.Divert;

/// <summary>An open WinDivert handle. When it is closed the driver sends what it still holds on its way.</summary>
[SupportedOSPlatform("windows")]
sealed class DivertHandle : SafeHandleZeroOrMinusOneIsInvalid
{
    /// <summary>Made by the marshaller.</summary>
    public DivertHandle()
        : base(ownsHandle: true)
    {
    }

    protected override bool ReleaseHandle() => DivertNative.Close(handle);
}
