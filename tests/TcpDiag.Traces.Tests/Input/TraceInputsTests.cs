using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Traces.Input;
using Xunit;

namespace TcpDiag.Traces.Tests.Input;

public sealed class TraceInputsTests
{
    static readonly byte[] Content = [.. Enumerable.Range(0, 300_000).Select(i => (byte)(i * 31 / 7))];

    static byte[] Gzip(byte[] content)
    {
        var output = new MemoryStream();
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest))
        {
            gzip.Write(content);
        }

        return output.ToArray();
    }

    static byte[] Zip(params (string Name, byte[] Content)[] entries)
    {
        var output = new MemoryStream();
        using (var archive = new ZipArchive(output, ZipArchiveMode.Create))
        {
            foreach ((string name, byte[] content) in entries)
            {
                using Stream entry = archive.CreateEntry(name).Open();
                entry.Write(content);
            }
        }

        return output.ToArray();
    }

    static byte[] ReadAll(TraceInput input)
    {
        var output = new MemoryStream();
        byte[] chunk = new byte[100_000];
        int count;
        while ((count = input.Read(chunk)) > 0)
        {
            output.Write(chunk, 0, count);
        }

        return output.ToArray();
    }

    [Fact]
    public void Open_PlainFile_IsReadAtPositionsWithoutMovingTheSequentialOne()
    {
        using var file = new TemporaryFile(Content);
        using TraceInput input = TraceInputs.Open(file.Path);
        byte[] part = new byte[10];

        Assert.True(input.CanReadAt);
        Assert.Equal(Content.Length, input.Length);
        Assert.Equal(10, input.ReadAt(1000, part));
        Assert.Equal(Content[1000..1010], part);
        Assert.Equal(3, input.ReadAt(Content.Length - 3, part));
        Assert.Equal(Content, ReadAll(input));
        Assert.Null(input.Damage);
    }

    [Fact]
    public void Open_GzipUnderAnyName_IsStreamed()
    {
        using var file = new TemporaryFile(Gzip(Content));
        using TraceInput input = TraceInputs.Open(file.Path);

        Assert.False(input.CanReadAt);
        Assert.Null(input.Length);
        Assert.Equal(Content, ReadAll(input));
    }

    [Fact]
    public void OpenSeekable_Gzip_IsReadAtPositions()
    {
        using var file = new TemporaryFile(Gzip(Content));
        using TraceInput input = TraceInputs.OpenSeekable(file.Path);
        byte[] part = new byte[10];

        Assert.Equal((file.Path, Content.Length), (input.Path, input.Length));
        Assert.Equal(10, input.ReadAt(200_000, part));
        Assert.Equal(Content[200_000..200_010], part);
        Assert.Equal(Content, ReadAll(input));
    }

    [Fact]
    public void Open_Zip_TakesTheTraceAmongOtherFiles()
    {
        using var file = new TemporaryFile(Zip(("readme.txt", [1]), ("b.pcap", [2]), ("folder/a.ETL", Content)));
        using TraceInput input = TraceInputs.Open(file.Path);

        Assert.Equal(Content, ReadAll(input));
    }

    [Fact]
    public void Open_ZipWithOneFileOfAnyName_TakesIt()
    {
        using var file = new TemporaryFile(Zip(("folder/", []), ("folder/capture", Content)));
        using TraceInput input = TraceInputs.Open(file.Path);

        Assert.Equal(Content, ReadAll(input));
    }

    [Fact]
    public void Open_ZipWithoutATrace_SaysSo()
    {
        using var several = new TemporaryFile(Zip(("a.txt", [1]), ("b.txt", [2])));
        using var none = new TemporaryFile(Zip());

        Assert.Equal(
            $"{several.Path}: a zip archive with several files but no .etl, .pcapng or .pcap in it",
            Assert.Throws<TraceInputException>(() => TraceInputs.Open(several.Path)).Message);
        Assert.Equal($"{none.Path}: a zip archive with no file in it", Assert.Throws<TraceInputException>(() => TraceInputs.Open(none.Path)).Message);
    }

    [Fact]
    public void Open_EncryptedZip_SaysSo()
    {
        // Bit 0 of the general purpose flags (APPNOTE 4.4.4): at 6 of the local header, at 8 of the directory's.
        byte[] zip = Zip(("a.etl", Content));
        zip[6] |= 1;
        zip[zip.AsSpan().LastIndexOf("PK\u0001\u0002"u8) + 8] |= 1;
        using var file = new TemporaryFile(zip);

        Assert.Equal(
            $"{file.Path}: an encrypted zip archive, which is not read. Unpack it first.",
            Assert.Throws<TraceInputException>(() => TraceInputs.Open(file.Path)).Message);
    }

    [Fact]
    public void Open_DamagedZip_SaysSo()
    {
        using var file = new TemporaryFile(Zip(("a.bin", Content))[..5000]);

        Assert.StartsWith(
            $"{file.Path}: damaged zip archive: ", Assert.Throws<TraceInputException>(() => TraceInputs.Open(file.Path)).Message, StringComparison.Ordinal);
    }

    // An entry that is stored as it is has no other check: one bit of its data is wrong.
    [Fact]
    public void Open_ZipWithOneWrongBit_KeepsEverythingAndSaysSo()
    {
        byte[] content = [.. Content[..1000]];
        using var file = new TemporaryFile(Stored("a.etl", content));
        byte[] zip = File.ReadAllBytes(file.Path);
        zip[zip.AsSpan().IndexOf(content) + 500] ^= 1;
        File.WriteAllBytes(file.Path, zip);
        using TraceInput input = TraceInputs.Open(file.Path);

        Assert.Equal(1000, ReadAll(input).Length);
        Assert.StartsWith("the archive is damaged: expected CRC-32 ", input.Damage, StringComparison.Ordinal);
    }

    [Fact]
    public void OpenSeekable_ZipWithoutDamage_HasNone()
    {
        using var file = new TemporaryFile(Zip(("a.etl", Content)));
        using TraceInput input = TraceInputs.OpenSeekable(file.Path);
        Assert.Null(input.Damage);
    }

    static byte[] Stored(string name, byte[] content)
    {
        var output = new MemoryStream();
        using (var archive = new ZipArchive(output, ZipArchiveMode.Create))
        {
            using Stream entry = archive.CreateEntry(name, CompressionLevel.NoCompression).Open();
            entry.Write(content);
        }

        return output.ToArray();
    }

    [Fact]
    public void Open_DamagedGzip_KeepsWhatIsReadableAndSaysWhy()
    {
        byte[] gzip = Gzip(Content);
        gzip.AsSpan(gzip.Length / 2, 64).Fill(0xFF);
        using var file = new TemporaryFile(gzip);
        using TraceInput input = TraceInputs.Open(file.Path);

        int length = ReadAll(input).Length;
        Assert.InRange(length, 1, Content.Length);
        Assert.StartsWith("reading stopped at byte ", input.Damage, StringComparison.Ordinal);
    }

    [Fact]
    public void OpenSeekable_DamagedGzip_StillTellsWhy()
    {
        byte[] gzip = Gzip(Content);
        gzip.AsSpan(gzip.Length / 2, 64).Fill(0xFF);
        using var file = new TemporaryFile(gzip);
        using TraceInput input = TraceInputs.OpenSeekable(file.Path);

        Assert.StartsWith("reading stopped at byte ", input.Damage, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_MissingFile_SaysSo() =>
        Assert.Equal("/no/such/file: no such file", Assert.Throws<TraceInputException>(() => TraceInputs.Open("/no/such/file")).Message);

    [Fact]
    public void Open_Folder_SaysSo() =>
        Assert.EndsWith(
            ": access denied, or a folder",
            Assert.Throws<TraceInputException>(() => TraceInputs.Open(Path.GetTempPath())).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Read_FileThatShrinks_EndsAndSaysSo()
    {
        using var file = new TemporaryFile(Content);
        using TraceInput input = TraceInputs.Open(file.Path);
        using (var other = new FileStream(file.Path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            other.SetLength(1000);
        }

        Assert.Equal(1000, ReadAll(input).Length);
        Assert.Equal("the file shrank while it was read, from 300000 bytes to 1000", input.Damage);
    }

    [Fact]
    public void Copy_MoreThanTheLimit_StopsWithAClearLine()
    {
        using var file = new TemporaryFile(Gzip(new byte[50_000_000]));
        TraceInput input = TraceInputs.Open(file.Path);

        var error = Assert.Throws<TraceInputException>(() => SpoolFile.Copy(input, limitBytes: 5_000_000));
        Assert.StartsWith($"{file.Path}: unpacks to more than 5000000 bytes, half of what is free in ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void PrefixStream_GivesThePrefixAndThenTheRest()
    {
        using var stream = new PrefixStream([1, 2, 3], new MemoryStream([4, 5]));
        byte[] all = new byte[8];

        Assert.Equal(5, stream.ReadAtLeast(all, 8, throwOnEndOfStream: false));
        Assert.Equal(new byte[] { 1, 2, 3, 4, 5 }, all[..5]);
    }
}

/// <summary>A file that goes with the test.</summary>
sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(byte[] content)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), $"tcpdiag-test-{Guid.NewGuid():N}");
        File.WriteAllBytes(Path, content);
    }

    public string Path { get; }

    public void Dispose() => File.Delete(Path);
}

public sealed class Crc32Tests
{
    // The check value of CRC-32/ISO-HDLC.
    [Fact]
    public void Append_CheckString_GivesCheckValue() => Assert.Equal(0xCBF4_3926u, Crc32.Append(0, "123456789"u8));

    [Fact]
    public void Append_Nothing_IsZero() => Assert.Equal(0u, Crc32.Append(0, []));

    // Whole words and single bytes take different paths: cut anywhere, the result is that of one bit at a time.
    [Fact]
    public void Append_AnyCut_IsThatOfTheDefinition()
    {
        byte[] bytes = [.. Enumerable.Range(0, 41).Select(i => (byte)(i * 37))];
        uint expected = ByDefinition(bytes);
        Assert.All(
            Enumerable.Range(0, bytes.Length + 1), cut => Assert.Equal(expected, Crc32.Append(Crc32.Append(0, bytes.AsSpan(0, cut)), bytes.AsSpan(cut))));
    }

    static uint ByDefinition(byte[] bytes)
    {
        uint state = uint.MaxValue;
        foreach (int bit in Enumerable.Range(0, bytes.Length * 8))
        {
            uint next = (state ^ (uint)(bytes[bit / 8] >> (bit % 8))) & 1;
            state = (state >> 1) ^ (next * 0xEDB8_8320);
        }

        return ~state;
    }
}
