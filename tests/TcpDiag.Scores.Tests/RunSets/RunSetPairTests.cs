using System.Linq;
using TcpDiag.Scores.RunSets;
using Xunit;

namespace TcpDiag.Scores.Tests.RunSets;

public sealed class RunSetPairTests
{
    [Fact]
    public void Read_OneFolder_GivesItsTwoSides()
    {
        using LabResult result = new LabResult().Save();
        RunSetPair pair = RunSetPair.Read(result.Folder);

        Assert.Equal("old", pair.A.Side);
        Assert.Equal("new", pair.B.Side);
    }

    [Fact]
    public void Read_OneFolderOfThreeSides_SaysSo()
    {
        using LabResult result = new LabResult { Sides = ["a", "b", "c"] }.Save();
        string message = Assert.Throws<RunSetException>(() => RunSetPair.Read(result.Folder)).Message;
        Assert.Equal($"{result.Folder}: expected two sides, found 3 (a, b, c). Name two result directories, or one of two sides.", message);
    }

    [Fact]
    public void Read_TwoFoldersOfOneSide_PairsThemWhateverTheirNames()
    {
        using LabResult one = new LabResult { Sides = ["22000"] }.Runs(1, "22000", 1).Save();
        using LabResult other = new LabResult { Sides = ["22621"] }.Runs(1, "22621", 2).Save();
        RunSetPair pair = RunSetPair.Read(one.Folder, other.Folder);

        Assert.Equal("22621", pair.B.Side);
        Assert.Equal(pair.A.Cells[0].Conditions, pair.B.Cells[0].Conditions);
    }

    [Fact]
    public void Read_TwoFoldersOfSeveralSides_KeepsThemApart()
    {
        using LabResult one = new LabResult().Runs(1, "old", 1).Runs(1, "new", 2).Save();
        RunSetPair pair = RunSetPair.Read(one.Folder, one.Folder);

        Assert.Null(pair.A.Side);
        Assert.Equal(["old", "new"], pair.A.Cells.Select(cell => cell.Conditions[^1].Value));
    }
}
