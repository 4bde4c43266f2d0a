using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Traces.Tests.Bundles;

public sealed class BundleWriterTests : IDisposable
{
    readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Fact]
    public void Complete_FilesInPieces_AreDescribedByLengthAndHash()
    {
        byte[] journal = "line 1\nline 2\n"u8.ToArray();
        using (var bundle = new BundleWriter(new FileStream(_path, FileMode.Create)))
        {
            using (Stream entry = bundle.Create("journal.jsonl", BundleManifest.JournalKind))
            {
                entry.Write(journal.AsSpan(0, 5));
                entry.Write(journal.AsSpan(5));
            }

            bundle.Complete(BundleWriter.Describe("netsh", "tcp", "duration", ["a remark"], DateTimeOffset.UnixEpoch));
        }

        BundleManifest manifest = TraceBundle.ReadManifest(_path)!;
        Assert.Equal(new BundleFile("journal.jsonl", "journal", 14, Convert.ToHexStringLower(SHA256.HashData(journal))), manifest.Files.Single());
        Assert.Equal(("tcpdiag 0.1.0", "netsh", "tcp", "duration"), (manifest.Tool, manifest.Engine, manifest.Match, manifest.StopReason));
        Assert.Equal(["a remark"], manifest.Remarks);
        Assert.Equal(journal, TraceBundle.Read(_path, BundleManifest.JournalKind));
    }

    [ToolFact("unzip")]
    public void Add_ToAStreamThatCannotSeek_OpensWithoutTcpdiag()
    {
        using (var file = new FileStream(_path, FileMode.Create))
        using (var bundle = new BundleWriter(new OnceThrough(file)))
        {
            bundle.Add("trace.pcapng", BundleManifest.TraceKind, File.OpenRead(ProjectFolder.Fixture("reset.pcapng")));
            bundle.Complete(BundleWriter.Describe("linux", "all", "duration", [], DateTimeOffset.UnixEpoch));
        }

        ProgramResult result = ExternalProgram.Run("unzip", "-tq", _path);
        Assert.StartsWith("No errors detected", result.Output, StringComparison.Ordinal);
        Assert.NotNull(TraceBundle.ReadManifest(_path));
    }

    // As a pipe is.
    sealed class OnceThrough(Stream inner) : Stream
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
    }
}
