using System;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// How programs write what they print. Those of Windows write to a pipe in the code page of their console; one without a window has the OEM code page of the machine, whatever
/// the console has that we were started from.
/// </summary>
static partial class ProgramEncoding
{
    /// <summary>The encoding of what a program prints.</summary>
    /// <param name="call">The program.</param>
    /// <returns>The encoding; null for that of the system.</returns>
    public static Encoding? Of(ProgramCall call) => call.PrintsUtf8 ? Encoding.UTF8
        : OperatingSystem.IsWindows() ? CodePagesEncodingProvider.Instance.GetEncoding((int)GetOemCodePage())
        : null;

    [SupportedOSPlatform("windows")]
    [LibraryImport("kernel32.dll", EntryPoint = "GetOEMCP")]
    private static partial uint GetOemCodePage();
}
