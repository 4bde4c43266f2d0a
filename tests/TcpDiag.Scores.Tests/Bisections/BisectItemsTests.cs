using System;
using System.IO;
using TcpDiag.Scores.Bisections;
using Xunit;

namespace TcpDiag.Scores.Tests.Bisections;

public sealed class BisectItemsTests
{
    [Theory]
    [InlineData("b", "d", "a,b,c,d,e", "b c d")]
    [InlineData("d", "b", "a, b, c, d, e", "d c b")]
    [InlineData("8", "5", null, "8 7 6 5")]
    public void Read_CutsTheListToItsEnds(string good, string bad, string? order, string items) =>
        Assert.Equal(items, string.Join(' ', BisectItems.Read(good, bad, order)));

    [Fact]
    public void Read_File_HasAnItemALine()
    {
        string file = Path.GetTempFileName();
        File.WriteAllText(file, "# builds\nold\n\n  middle one  \r\nnew\n");
        Assert.Equal(["old", "middle one", "new"], BisectItems.Read("old", "new", file));
        File.Delete(file);
    }

    [Theory]
    [InlineData("a", "b", null, "--order is missing")]
    [InlineData("1", "99999", null, "--order is missing")]
    [InlineData("a", "z", "a,b", "--bad: expected one of the items of --order, found 'z'")]
    [InlineData("a", "a", "a,b", "expected 2 to 10000 items from --good to --bad, found 1")]
    [InlineData("a", "b", "a,c,c,b", "found 'c' twice")]
    [InlineData("a", "b", "a,,b", "found ''")]
    [InlineData("a", "b", "no-such-file", "a list with commas; found 'no-such-file'")]
    public void Read_Wrong_IsSaid(string good, string bad, string? order, string message) =>
        Assert.Contains(message, Assert.Throws<BisectException>(() => BisectItems.Read(good, bad, order)).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(0, "93.5", 93.5, null)]
    [InlineData(0, "9.35e7", 9.35e7, null)]
    [InlineData(0, "0", 0.0, null)]
    [InlineData(1, "93.5", null, "exit code 1")]
    [InlineData(0, "", null, "found nothing")]
    [InlineData(0, "-3", null, "found '-3'")]
    [InlineData(0, "1,5", null, "found '1,5'")]
    [InlineData(0, "1e999", null, "found '1e999'")]
    [InlineData(0, "93 Mbit/s", null, "found '93 Mbit/s'")]
    public void Figure_IsTheLastLine(int exitCode, string line, double? figure, string? fault)
    {
        BisectRun run = BisectFigure.Read("a", 7, exitCode, line, []);
        Assert.Equal(("a", 7, figure), (run.Item, run.Seed, run.Figure));
        Assert.Equal(fault is null, run.Fault is null);
        Assert.Contains(fault ?? string.Empty, run.Fault ?? string.Empty, StringComparison.Ordinal);
    }

    [Fact]
    public void Figure_FolderWithoutResults_IsVoid()
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-bisect-").FullName;
        Assert.Contains("expected run.json, found none", BisectFigure.Read("a", 7, 0, folder, []).Fault, StringComparison.Ordinal);
        Directory.Delete(folder);
    }
}
