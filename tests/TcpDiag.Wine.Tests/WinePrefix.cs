using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using TcpDiag.Testing;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// A Wine of its own in a network namespace. Its server, which holds the sockets of all programs under it, stays where it began: one for each namespace. It
/// shares the files of the tests' prefix but for temporary ones: which of them are in use only a server knows, and what one Wine holds another would remove.
/// </summary>
sealed class WinePrefix : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-prefix-").FullName;
    readonly string _place;

    /// <summary>Makes it.</summary>
    /// <param name="place">The network namespace.</param>
    /// <param name="revision">Of the build that it says it is (UBR); 0 leaves it without one.</param>
    public WinePrefix(string place, int revision = 0)
    {
        _place = place;
        string common = WineProgram.PathOf("prefix");
        foreach (string file in new[] { "system.reg", "user.reg", "userdef.reg", ".update-timestamp" })
        {
            File.Copy(Path.Join(common, file), Path.Join(_folder, file));
        }

        if (revision > 0)
        {
            string registry = Path.Join(_folder, "system.reg");
            string[] lines = File.ReadAllLines(registry);
            int key = Array.FindIndex(lines, line => line.StartsWith(@"[Software\\Microsoft\\Windows NT\\CurrentVersion]", StringComparison.Ordinal));
            lines[key] += FormattableString.Invariant($"\n\"UBR\"=dword:{revision:x8}");
            File.WriteAllLines(registry, lines);
        }

        Directory.CreateDirectory(Path.Join(_folder, "dosdevices"));
        Share(Path.Join(common, "drive_c"), Path.Join(_folder, "drive_c"), "users", "*", "Temp");
        File.CreateSymbolicLink(Path.Join(_folder, "dosdevices", "c:"), "../drive_c");
        File.CreateSymbolicLink(Path.Join(_folder, "dosdevices", "z:"), "/");
    }

    /// <summary>Starts a program.</summary>
    /// <param name="program">E.g. <c>winehost</c>.</param>
    /// <param name="variables">Variables of its own, <c>NAME=value</c>.</param>
    /// <param name="arguments">Its arguments.</param>
    public Process Start(string program, IEnumerable<string> variables, IEnumerable<string> arguments) =>
        Process.Start(new ProcessStartInfo("ip", ["netns", "exec", _place, "env", $"WINEPREFIX={_folder}", "WINEDEBUG=-all", WineProgram.OneMapping,
            .. variables, "wine", WineProgram.PathOf(program, program + ".exe"), .. arguments])
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        })!;

    // A folder whose entries are links to another's, but for one, which is such a folder too; the last of them is empty.
    static void Share(string source, string target, string own, params ReadOnlySpan<string> deeper)
    {
        Directory.CreateDirectory(target);
        foreach (string entry in Directory.EnumerateFileSystemEntries(source))
        {
            string place = Path.Join(target, Path.GetFileName(entry));
            bool isOwn = Directory.Exists(entry) && (own is "*" || string.Equals(Path.GetFileName(entry), own, StringComparison.Ordinal));
            if (!isOwn)
            {
                File.CreateSymbolicLink(place, entry);
            }
            else if (deeper.IsEmpty)
            {
                Directory.CreateDirectory(place);
            }
            else
            {
                Share(entry, place, deeper[0], deeper[1..]);
            }
        }
    }

    /// <summary>Ends its server, and with it all programs under it.</summary>
    public void Dispose()
    {
        ExternalProgram.TryRun("env", [$"WINEPREFIX={_folder}", "wineserver", "-k"]);
        ExternalProgram.TryRun("env", [$"WINEPREFIX={_folder}", "wineserver", "-w"]);
        Directory.Delete(_folder, recursive: true);
    }
}
