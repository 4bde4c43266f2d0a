using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Report.Json;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class TextWriterStreamTests
{
    [Theory]
    [InlineData(1)] // every character is cut
    [InlineData(7)]
    [InlineData(4096)]
    [InlineData(100_000)]
    public void Write_InPiecesOfAnySize_GivesTheText(int pieceBytes)
    {
        string text = string.Concat(Enumerable.Repeat("aé→𝄞", 5000));
        var output = new StringWriter();
        using var stream = new TextWriterStream(output);

        foreach (byte[] piece in Encoding.UTF8.GetBytes(text).Chunk(pieceBytes))
        {
            stream.Write(piece);
        }

        Assert.Equal(text, output.ToString());
    }

    [Fact]
    public void Open_WriterOfUtf8_TakesTheBytesBehindItsText()
    {
        using var bytes = new MemoryStream();
        using var output = new StreamWriter(bytes, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false));
        output.Write("é");
        Stream stream = TextWriterStream.Open(output);
        stream.Write("→"u8);
        output.Write("a");
        output.Flush();

        Assert.Same(bytes, stream);
        Assert.Equal("é→a", Encoding.UTF8.GetString(bytes.ToArray()));
    }

    [Fact]
    public void Open_WriterOfAnotherEncoding_TranslatesTheBytes()
    {
        using var bytes = new MemoryStream();
        using var output = new StreamWriter(bytes, Encoding.Latin1);
        TextWriterStream.Open(output).Write("é"u8);
        output.Flush();

        Assert.Equal([0xE9], bytes.ToArray());
    }
}
