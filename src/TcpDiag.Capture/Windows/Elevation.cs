using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;

namespace TcpDiag.Capture.Windows;

/// <summary>Starts a program with administrator's rights, for which the system asks the user.</summary>
public interface IElevation
{
    /// <summary>Runs a program to its end, in a window of its own.</summary>
    /// <param name="program">The program.</param>
    /// <param name="arguments">One entry per argument, not quoted.</param>
    /// <param name="folder">Its current folder.</param>
    /// <returns>Its exit code; null where the user refused.</returns>
    /// <exception cref="CaptureException">It cannot be started.</exception>
    int? Run(string program, IReadOnlyList<string> arguments, string folder);
}

/// <summary>The <c>runas</c> verb of ShellExecuteEx, before which Windows asks for consent. Arguments are quoted as CommandLineToArgvW reads them.</summary>
[SupportedOSPlatform("windows")]
public sealed class ShellElevation : IElevation
{
    const int Cancelled = 1223; // ERROR_CANCELLED: consent was refused

    /// <inheritdoc/>
    public int? Run(string program, IReadOnlyList<string> arguments, string folder)
    {
        var start = new ProcessStartInfo(program, arguments) { UseShellExecute = true, Verb = "runas", WorkingDirectory = folder };
        try
        {
            using Process process = Process.Start(start) ?? throw new CaptureException($"{program} did not start.");
            process.WaitForExit();
            return process.ExitCode;
        }
        catch (Win32Exception exception) when (exception.NativeErrorCode == Cancelled)
        {
            return null;
        }
        catch (Win32Exception exception)
        {
            throw new CaptureException($"{program} cannot be started with administrator's rights: {exception.Message}", exception.NativeErrorCode);
        }
    }
}
