using System;
using System.Collections.Frozen;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Linux.Snapshots;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Platform;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Lab.Results;

/// <summary>
/// What one end of a run was like when it began: build and revision, the settings of its TCP (Get-NetTCPSetting; net.ipv4) and its network cards, as a snapshot
/// (docs/schemas/snapshot.json) without what says nothing of a connection's pace.
/// </summary>
public static class EndFacts
{
    // Of both systems; each has some of them.
    static readonly FrozenSet<string> Sections = new[]
    {
        "system", "adapters", "firmware", "rss", "rsc", "lso", "checksum-offload", "adapter-settings", "tcp-templates", "tcp-template-filters", "tcp-offload",
        "tcp-registry", "tcp-interface-registry", "tcp-global", "machine", "sysctls", "interfaces", "qdiscs",
    }.ToFrozenSet(StringComparer.Ordinal);

    /// <summary>How long a snapshot takes at most: on Windows a program of the system answers each question, with ten seconds for it.</summary>
    public static readonly TimeSpan LongestTake = TimeSpan.FromSeconds(60);

    /// <summary>Takes one of this machine, and writes it.</summary>
    /// <param name="path">The file; replaced when it is there.</param>
    /// <param name="networkNamespace">Linux: of which network namespace; null for that of the caller.</param>
    /// <param name="openMachine">Windows: where its programs are asked.</param>
    /// <param name="interruption">Ends it.</param>
    /// <returns>Name of the system with its revision.</returns>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public static string Write(string path, string? networkNamespace, Func<ICaptureMachine> openMachine, CancellationToken interruption)
    {
        ArgumentNullException.ThrowIfNull(openMachine);
        SystemSnapshot snapshot = OperatingSystem.IsLinux()
            ? TakeLinux(networkNamespace, interruption)
            : WindowsSnapshot.Take(openMachine(), TimeProvider.System, Sections, interruption);
        File.WriteAllBytes(path, SnapshotJson.ToBytes(snapshot));
        return SystemName();
    }

    /// <summary>This machine's system with its revision.</summary>
    /// <returns>E.g. <c>Windows 10.0.26100.4061</c>, <c>Linux 6.18.44</c>.</returns>
    public static string SystemName() => OperatingSystem.IsLinux() ? $"Linux {KernelRelease()}" : $"Windows {WindowsRevision.Version()}";

    /// <summary>The release of this Linux.</summary>
    public static string KernelRelease() => File.ReadAllText("/proc/sys/kernel/osrelease").Trim();

    [SupportedOSPlatform("linux")]
    static SystemSnapshot TakeLinux(string? networkNamespace, CancellationToken interruption) =>
        LinuxSnapshot.Take(networkNamespace, TimeProvider.System, Sections, interruption);
}
