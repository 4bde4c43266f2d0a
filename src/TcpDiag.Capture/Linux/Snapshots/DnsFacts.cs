using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Name servers: those of the C library, and behind a local resolver those that it asks.</summary>
static class DnsFacts
{
    static readonly string[] Files = ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"];

    /// <summary>Reads the facts.</summary>
    /// <returns>The facts.</returns>
    public static IEnumerable<SnapshotFact> Read() =>
        from path in Files
        where File.Exists(path)
        from line in File.ReadLines(path)
        let words = line.Split([' ', '\t'], 2, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        where words is ["nameserver" or "search" or "options", _]
        select new SnapshotFact(path, words[0], words[1]);
}
