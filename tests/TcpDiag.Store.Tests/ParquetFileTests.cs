using System;
using System.IO;
using System.Text;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Tests.Servers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>A file of Parquet is the server's work: ours is to know whether it is whole.</summary>
public sealed class ParquetFileTests
{
    [Theory]
    [InlineData("PAR1PAR1", 8)]
    [InlineData("PAR1 rows PAR1", 1)] // read byte by byte, the magic number comes in pieces
    [InlineData("PAR1 rows PAR1", 5)]
    public void Copy_OfAWholeFile_IsThatFile(string text, int bytesOfARead)
    {
        using var output = new MemoryStream();
        ParquetFile.Copy(new SlowStream(Encoding.ASCII.GetBytes(text), bytesOfARead), output);
        Assert.Equal(text, Encoding.ASCII.GetString(output.ToArray()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("PAR1")]
    [InlineData("PAR1 rows PAR")]
    [InlineData("PAR1 rows Code: 241. DB::Exception: Memory limit exceeded")]
    [InlineData("Code: 73. DB::Exception: Unknown format Parquet PAR1")]
    public void Copy_OfAnythingElse_IsTold(string text) =>
        Assert.Throws<InvalidDataException>(() => ParquetFile.Copy(new SlowStream(Encoding.ASCII.GetBytes(text), 3), Stream.Null));

    [Fact]
    public void WriteParquet_OfAFile_NamesOtherFormats()
    {
        using var folder = new StoreFolder();
        using IResultStore store = folder.Open(StoreEngine.Sqlite);
        string message = Assert.Throws<StoreException>(() => store.WriteParquet(new StoreQuery(StoreSchema.Findings, StoreFilter.All), Stream.Null)).Message;
        Assert.EndsWith("a server of ClickHouse writes Parquet, a file does not. Export with --csv or --ndjson.", message, StringComparison.Ordinal);
    }

    // Debian's server is older than the format.
    [ToolFact("clickhouse-server", "setpriv")]
    public void WriteParquet_OfAServerThatHasNoSuchFormat_IsOneLine()
    {
        using var folder = new StoreFolder();
        using IResultStore store = folder.Open(StoreEngine.ClickHouse);
        string message = Assert.Throws<StoreException>(() => store.WriteParquet(new StoreQuery(StoreSchema.Findings, StoreFilter.All), Stream.Null)).Message;
        Assert.Contains("the server knows no format Parquet: it is older than version 19", message, StringComparison.Ordinal);
    }

    /// <summary>Gives few bytes at a time.</summary>
    sealed class SlowStream(byte[] bytes, int most) : MemoryStream(bytes)
    {
        public override int Read(byte[] buffer, int offset, int count) => base.Read(buffer, offset, Math.Min(count, most));

        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(buffer.Length, most)]);
    }
}
