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
}
