using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;

namespace TcpDiag.Cli.Tests.Faults;

/// <summary>
/// What a crashed run could leave on this machine. Other tests and experiments may be under way, so only what belongs to nobody alive counts.
/// </summary>
[SupportedOSPlatform("linux")]
static class Inventory
{
    const string Leases = "/run/tcpdiag";
    const string Namespaces = "/run/netns";

    /// <summary>Everything in a namespace that diverts packets or carries them: devices, rules, packet queues.</summary>
    public static string Of(string place) => ExternalProgram.Run(
        "ip", "netns", "exec", place, "sh", "-c", "ip -o link | cut -d: -f2; nft list ruleset; cat /proc/net/netfilter/nfnetlink_queue").Output;

    /// <summary>Namespaces of experiments without a living owner, and leases that nobody holds.</summary>
    public static string[] AbandonedNamespaces()
    {
        using FolderLock turn = FolderLock.Take(Leases); // no lease is being made or removed meanwhile
        return
        [
            .. Files(Leases, "tcpdiag-lab-*.netns").Where(IsFree),
            .. Files(Namespaces, "tcpdiag-lab-*").Where(path => !File.Exists(Path.Join(Leases, Path.GetFileName(path) + ".netns"))),
        ];
    }

    /// <summary>Trace instances of processes that are gone.</summary>
    public static string[] AbandonedTraceInstances()
    {
        using TracefsMount mount = TracefsMount.Open();
        return [.. Directory.GetDirectories(Path.Join(mount.Root, "instances"),
            "tcpdiag-*").Where(folder => !Directory.Exists($"/proc/{Path.GetFileName(folder).Split('-')[1]}"))];
    }

    /// <summary>Processes whose command line holds some words: those of a run that names a folder of its own.</summary>
    public static IEnumerable<Process> Processes(params string[] words)
    {
        foreach (string folder in Directory.GetDirectories("/proc"))
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id != Environment.ProcessId
                && ReadOrNothing(Path.Join(folder, "cmdline")) is { } line && Array.TrueForAll(words, word => line.Contains(word, StringComparison.Ordinal))
                && Find(id) is { } process)
            {
                yield return process;
            }
        }
    }

    // Null for one that has ended since it was listed.
    static Process? Find(int id)
    {
        try
        {
            return Process.GetProcessById(id);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    static string[] Files(string folder, string pattern) => Directory.Exists(folder) ? Directory.GetFiles(folder, pattern) : [];

    static bool IsFree(string path)
    {
        try
        {
            using FileStream held = new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    // A process may end between listing and reading; its arguments are separated by zero bytes.
    static string ReadOrNothing(string path)
    {
        try
        {
            return File.ReadAllText(path).Replace('\0', ' ');
        }
        catch (IOException)
        {
            return string.Empty;
        }
    }
}
