using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Cli.Tests;

/// <summary>Writes bundles with a small trace.</summary>
static class TestBundle
{
    public static SystemSnapshot Snapshot(params SnapshotSection[] sections) =>
        new(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "Linux 6.18.44 x64", sections);

    public static void Write(string path, SystemSnapshot snapshot, string stopReason = "stopped", string match = "tcp", IReadOnlyList<string>? remarks = null,
        string? journal = null)
    {
        using var bundle = new BundleWriter(new FileStream(path, FileMode.Create));
        using (FileStream trace = File.OpenRead(ProjectFolder.Fixture("reset.pcapng")))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, trace);
        }

        bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(SnapshotJson.ToBytes(snapshot)));
        if (journal is not null)
        {
            bundle.Add("journal.jsonl", BundleManifest.JournalKind, new MemoryStream(Encoding.UTF8.GetBytes(journal)));
        }

        bundle.Complete(BundleWriter.Describe("linux", match, stopReason, remarks ?? [], DateTimeOffset.UnixEpoch));
    }
}
