using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

/// <summary>What is taken for the bundle of a killed recorder, what is left alone, and that nothing goes before there is a whole one.</summary>
[SupportedOSPlatform("linux")]
public sealed class BundleRecoveryTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-recovery-").FullName;
    readonly byte[] _trace = new byte[600_000];

    public BundleRecoveryTests() => new Random(5).NextBytes(_trace);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [LinuxFact]
    public void FindLeft_Folder_TakesWhatARecorderWasWriting()
    {
        Leave(In("killed.tcpdiag"));
        Cut("copy.tcpdiag", "trace.pcapng");
        Cut("other.tcpdiag", "photo.raw");
        Complete("whole.tcpdiag", "trace.pcapng");
        File.WriteAllText(In("text.tcpdiag"), "no archive");
        var told = new List<string>();

        Assert.Equal([In("killed.tcpdiag")], BundleRecovery.FindLeft(_folder, told.Add));
        Assert.Equal(
            [.. ((string[])["copy", "other"]).Select(name =>
                $"{In(name)}.tcpdiag has no end, but no recorder left it so: it may be a copy that is under way. `tcpdiag capture recover "
                    + $"{In(name)}.tcpdiag` makes a whole bundle of what there is")],
            told);
    }

    [LinuxFact]
    public void Recover_Killed_HasTheSnapshotAndTheTraceAsFarAsItGoes()
    {
        Leave(In("slow.tcpdiag"));

        Assert.Equal(In("slow-recovered.tcpdiag"), BundleRecovery.Recover(In("slow.tcpdiag")));
        Assert.False(File.Exists(In("slow.tcpdiag")));
        using ZipArchive zip = ZipFile.OpenRead(In("slow-recovered.tcpdiag"));
        Assert.Equal(["snapshot.json", "trace.pcapng", "manifest.json"], zip.Entries.Select(entry => entry.Name));
        byte[] trace = Read(zip.Entries[1]);
        Assert.True(trace.Length > 500_000);
        Assert.Equal(_trace[..trace.Length], trace);
    }

    // Half of a bundle of Windows: all that is in it belongs into a whole one.
    [LinuxFact]
    public void Recover_CutCopyOfABundleOfWindows_KeepsAllItHas()
    {
        Cut("slow.tcpdiag", "journal.jsonl", "trace.etl");

        BundleRecovery.Recover(In("slow.tcpdiag"));
        Assert.Equal(["journal", "trace"], TraceBundle.ReadManifest(In("slow-recovered.tcpdiag"))!.Files.Select(file => file.Kind));
    }

    [LinuxFact]
    public void Recover_WhatNoRecordingLeaves_StaysAsItIs()
    {
        Cut("slow.tcpdiag", "trace.pcapng", "photo.raw");
        byte[] before = File.ReadAllBytes(In("slow.tcpdiag"));

        var refused = Assert.Throws<CaptureException>(() => BundleRecovery.Recover(In("slow.tcpdiag")));
        Assert.Equal($"{In("slow.tcpdiag")} has no end, and stays as it is: it holds photo.raw, which is no file of a recording.", refused.Message);
        Assert.Equal(before, File.ReadAllBytes(In("slow.tcpdiag")));
        Assert.Single(Directory.GetFiles(_folder));
    }

    // Lengths behind the files, as what cannot seek writes them: the second file is not found.
    [LinuxFact]
    public void Recover_MoreThanCanBeFound_StaysAsItIs()
    {
        using (var pipe = new Pipe(File.Create(In("slow.tcpdiag"))))
        using (var bundle = new BundleWriter(pipe))
        {
            bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream(_trace));
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, new MemoryStream(_trace));
        }

        using (FileStream file = File.OpenWrite(In("slow.tcpdiag")))
        {
            file.SetLength(900_000);
        }

        Assert.EndsWith(
            "stays as it is: what it holds cannot be found without the list at its end.",
                Assert.Throws<CaptureException>(() => BundleRecovery.Recover(In("slow.tcpdiag"))).Message, StringComparison.Ordinal);
        Assert.True(File.Exists(In("slow.tcpdiag")));
    }

    // 1 MiB holds the 600 kB once.
    [RootFact("mount", "umount")]
    public void Recover_DiskIsFull_KeepsWhatWasLeftAndNothingHalf()
    {
        ExternalProgram.Run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", _folder);
        try
        {
            Leave(In("slow.tcpdiag"));
            byte[] before = File.ReadAllBytes(In("slow.tcpdiag"));

            Assert.Throws<IOException>(() => BundleRecovery.Recover(In("slow.tcpdiag")));
            Assert.Equal(before, File.ReadAllBytes(In("slow.tcpdiag")));
            Assert.Single(Directory.GetFiles(_folder));
        }
        finally
        {
            ExternalProgram.Run("umount", _folder);
        }
    }

    // As a recorder leaves it that is killed: what was handed to the system by then.
    void Leave(string path)
    {
        var file = new MemoryStream();
        using var bundle = new BundleWriter(file);
        bundle.Add("snapshot.json", BundleManifest.SnapshotKind, new MemoryStream([1, 2, 3]));
        using Stream trace = bundle.Create("trace.pcapng", BundleManifest.TraceKind);
        trace.Write(_trace);
        trace.Flush();
        File.WriteAllBytes(path, file.ToArray());
    }

    void Complete(string name, params string[] files)
    {
        using var bundle = new BundleWriter(File.Create(In(name)));
        foreach (string file in files)
        {
            bundle.Add(file, BundleManifest.TraceKind, new MemoryStream(_trace));
        }

        bundle.Complete(BundleWriter.Describe("linux", string.Empty, string.Empty, [], DateTimeOffset.UnixEpoch));
    }

    // A copy that broke off 100 kB before the end of its last file.
    void Cut(string name, params string[] files)
    {
        Complete(name, files);
        using FileStream file = File.OpenWrite(In(name));
        file.SetLength((files.Length * 600_000) - 100_000);
    }

    string In(string name) => Path.Combine(_folder, name);

    static byte[] Read(ZipArchiveEntry entry)
    {
        using Stream source = entry.Open();
        var bytes = new MemoryStream();
        source.CopyTo(bytes);
        return bytes.ToArray();
    }

    sealed class Pipe(Stream inner) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush() => inner.Flush();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => inner.Write(buffer, offset, count);

        protected override void Dispose(bool disposing)
        {
            inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
