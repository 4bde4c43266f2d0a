using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using TcpDiag.Testing;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// A Wine of its own in a network namespace. Its server, which holds the sockets of all programs under it, stays where it began: one for each namespace. It shares the
/// files of the tests' prefix.
/// </summary>
sealed class WinePrefix : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-prefix-").FullName;
    readonly string _place;

    /// <summary>Makes it.</summary>
    /// <param name="place">The network namespace.</param>
    public WinePrefix(string place)
    {
        _place = place;
        string common = WineProgram.PathOf("prefix");
        foreach (string file in new[] { "system.reg", "user.reg", "userdef.reg", ".update-timestamp" })
        {
            File.Copy(Path.Join(common, file), Path.Join(_folder, file));
        }

        Directory.CreateDirectory(Path.Join(_folder, "dosdevices"));
        File.CreateSymbolicLink(Path.Join(_folder, "drive_c"), Path.Join(common, "drive_c"));
        File.CreateSymbolicLink(Path.Join(_folder, "dosdevices", "c:"), "../drive_c");
        File.CreateSymbolicLink(Path.Join(_folder, "dosdevices", "z:"), "/");
    }

    /// <summary>Starts a program.</summary>
    /// <param name="program">E.g. <c>winehost</c>.</param>
    /// <param name="variables">Variables of its own, <c>NAME=value</c>.</param>
    /// <param name="arguments">Its arguments.</param>
    public Process Start(string program, IEnumerable<string> variables, IEnumerable<string> arguments) =>
        Process.Start(new ProcessStartInfo("ip", ["netns", "exec", _place, "env", $"WINEPREFIX={_folder}", "WINEDEBUG=-all", .. variables, "wine", WineProgram.PathOf(program, program + ".exe"), .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;

    /// <summary>Ends its server, and with it all programs under it.</summary>
    public void Dispose()
    {
        ExternalProgram.TryRun("env", [$"WINEPREFIX={_folder}", "wineserver", "-k"]);
        ExternalProgram.TryRun("env", [$"WINEPREFIX={_folder}", "wineserver", "-w"]);
        Directory.Delete(_folder, recursive: true);
    }
}
