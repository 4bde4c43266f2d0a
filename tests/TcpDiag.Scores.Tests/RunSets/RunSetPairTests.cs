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
        Assert.Equal($"{result.Folder}: expected two sides, found 3 (a, b, c). Name two of its sides with --side, or two result directories.", message);
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

    [Fact]
    public void Read_Sides_AreTakenInTheOrderAskedFor()
    {
        using LabResult result = new LabResult { Sides = ["a", "b", "c"] }.Runs(1, "a", 1).Runs(1, "c", 3).Save();
        RunSetPair pair = RunSetPair.Read(result.Folder, new RunFilter(["c", "A"], []));
        Assert.Equal(("c", "a"), (pair.A.Side, pair.B.Side));
    }

    [Theory]
    [InlineData("002")]
    [InlineData("rtt 100MS")]
    public void Read_Cells_AreTakenByNameOrCondition(string cell)
    {
        using LabResult result = new LabResult().Runs(1, "old", 1).Runs(2, "old", 2).Runs(1, "new", 3).Runs(2, "new", 4).Save();
        RunSetPair pair = RunSetPair.Read(result.Folder, new RunFilter([], [cell]));
        Assert.Equal("002-rtt", Assert.Single(pair.A.Cells).Name);
        Assert.Equal("002-rtt", Assert.Single(pair.B.Cells).Name);
    }

    [Fact]
    public void Read_UnknownSideOrCell_SaysWhatThereIs()
    {
        using LabResult result = new LabResult().Runs(1, "old", 1).Save();
        string side = Assert.Throws<RunSetException>(() => RunSetPair.Read(result.Folder, new RunFilter(["older"], []))).Message;
        Assert.Equal($"{result.Folder}: expected a side called older, found old, new.", side);

        string cell = Assert.Throws<RunSetException>(() => RunSetPair.Read(result.Folder, new RunFilter([], ["rtt 7ms"]))).Message;
        Assert.Equal($"{result.Folder}: expected a cell of rtt 7ms, found none. Cells are called, for instance, 001-rtt or 'rate 100mbit'.", cell);
    }
}
