using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace TcpDiag.Platform;

/// <summary>The language of Windows' user interface.</summary>
[SupportedOSPlatform("windows")]
public static partial class WindowsLanguage
{
    // MS-LCID: the low ten bits are the language without the country; LANG_GERMAN.
    const int PrimaryMask = 0x3FF;
    const int German = 0x07;

    /// <summary>Whether the user has Windows in German.</summary>
    public static bool IsGerman => (GetLanguage() & PrimaryMask) == German;

    [LibraryImport("kernel32.dll", EntryPoint = "GetUserDefaultUILanguage")]
    private static partial ushort GetLanguage();
}
