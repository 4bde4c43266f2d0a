using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace TcpDiag.Shim.Divert;

/// <summary>What an error of WinDivertOpen means and what helps: the codes of its reference, and 1058, which the service manager adds.</summary>
static class DivertErrors
{
    /// <summary>ERROR_NO_DATA: the handle was shut down and nothing is queued any more.</summary>
    public const int NoData = 232;

    /// <summary>ERROR_FILE_NOT_FOUND.</summary>
    public const int FileNotFound = 2;

    /// <summary>ERROR_ACCESS_DENIED.</summary>
    public const int AccessDenied = 5;

    /// <summary>ERROR_SERVICE_DOES_NOT_EXIST: there is no driver, and none was to be installed.</summary>
    public const int NoService = 1060;

    static readonly DivertErrorText Unknown = new(
        0,
        "the system has refused, for a reason that WinDivert does not name",
        "Look at the code's meaning in the documentation of Windows, and at the system's event log.");

    /// <summary>The codes that are known.</summary>
    public static IReadOnlyList<DivertErrorText> All { get; } =
    [
        new(
            FileNotFound,
            "the driver's file WinDivert64.sys is not beside WinDivert.dll, or has been taken away, as antivirus programs do",
            "Fetch it again (windivert\\fetch.ps1, beside tcpdiag.exe); look into the antivirus program's quarantine."),
        new(AccessDenied, "diverting packets needs administrator rights", "Start it from an elevated prompt: right-click the terminal, Run as administrator."),
        new(
            87,
            "the filter, the layer, the priority or a flag is not one the driver knows",
            "With --windivert-filter: mend the filter. Else report the match that led here."),
        new(
            577,
            "Windows does not accept the driver's signature: the file is not the one its author has signed, memory integrity (HVCI) asks for more, "
                + "or a policy of this machine (WDAC, App Control) does not list it",
            "Fetch the driver again; see docs/shim-windows.md, \"When Windows blocks the driver\"; "
                + "with a test-signed driver Secure Boot must be off and test signing on (bcdedit /set testsigning on)."),
        new(
            654,
            "another version of the WinDivert driver is loaded, and this library cannot work with it",
            "End the program that uses it (tcpdiag shim doctor names its file), then: sc stop WinDivert"),
        new(
            1058,
            "the service WinDivert is disabled, or waits to be deleted",
            "Enable it: sc config WinDivert start= demand; if that does not help, restart the machine."),
        new(
            NoService,
            "the WinDivert driver is not installed",
            "Run tcpdiag shim doctor --load from an elevated prompt: it installs the driver, or names what stands in the way."),
        new(
            1275,
            "Windows or a security program has blocked the driver: memory integrity (HVCI), the list of vulnerable drivers, or an antivirus program",
            "See docs/shim-windows.md, \"When Windows blocks the driver\"."),
        new(1753, "the Base Filtering Engine does not run", "Start it: sc config BFE start= auto, then: sc start BFE"),
    ];

    /// <summary>What a code means.</summary>
    /// <returns>Meaning and cure, in general words for a code that is not known.</returns>
    public static DivertErrorText Find(int code)
    {
        foreach (DivertErrorText error in All)
        {
            if (error.Code == code)
            {
                return error;
            }
        }

        return Unknown with { Code = code };
    }

    /// <summary>The exception for a call that was refused.</summary>
    public static ShimException ToException(string action, int code)
    {
        DivertErrorText text = Find(code);
        return new ShimException(action, code, ReferenceEquals(text, Unknown) ? Marshal.GetPInvokeErrorMessage(code) : text.Meaning, text.Cure);
    }

    /// <summary>The exception for the call that has just been refused.</summary>
    public static ShimException LastError(string action) => ToException(action, Marshal.GetLastPInvokeError());
}

/// <summary>An error of the driver in words.</summary>
/// <param name="Code">The Win32 error code.</param>
/// <param name="Meaning">What it means here, without a full stop.</param>
/// <param name="Cure">What helps, in whole sentences.</param>
public sealed record DivertErrorText(int Code, string Meaning, string Cure);
