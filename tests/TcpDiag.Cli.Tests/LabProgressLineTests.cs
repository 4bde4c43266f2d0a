using System;
using System.IO;
using System.Linq;
using TcpDiag.Cli.Lab;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Shim;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class LabProgressLineTests
{
    static readonly PlannedIteration Planned = PlannedIteration.Plan(MatrixReader.Read("m", "sides: {a: {}}"), 1).Single();

    static readonly ShimFigures Figures = new(4_400_000_000, 5300, 5230, 70, 0, 0, 1, 2, 3, 0, 0, 0);

    [Fact]
    public void Text_Progress_TellsDoneTimeLeftAndTheRun()
    {
        Assert.Equal("0/8 done: 001/a/001", LabProgressLine.Text(new LabProgress(Planned, 0, 8, null, null)));
        Assert.Equal("3/8 done, 119 s left: 001/a/001, 4 s, 5,230 packets",
            LabProgressLine.Text(new LabProgress(Planned, 3, 8, TimeSpan.FromSeconds(119), Figures)));
        Assert.Equal("3/8 done, 90 min left: 001/a/001", LabProgressLine.Text(new LabProgress(Planned, 3, 8, TimeSpan.FromMinutes(90), null)));
        Assert.Equal("3/8 done, 3 h left: 001/a/001", LabProgressLine.Text(new LabProgress(Planned, 3, 8, TimeSpan.FromHours(3), null)));
    }

    [Fact]
    public void Bar_Progress_IsAsFullAsWhatIsDone()
    {
        Assert.Equal("[................]", LabProgressLine.Bar(new LabProgress(Planned, 0, 8, null, null)));
        Assert.Equal("[######..........]", LabProgressLine.Bar(new LabProgress(Planned, 3, 8, null, null)));
        Assert.Equal("[################]", LabProgressLine.Bar(new LabProgress(Planned, 8, 8, null, null)));
    }

    // What a run says while it works is for a line that is written over.
    [Fact]
    public void Show_NoTerminal_WritesALineForEachRun()
    {
        using StringWriter error = new();
        LabProgressLine shown = new(error);
        shown.Show(new LabProgress(Planned, 0, 2, null, null));
        shown.Show(new LabProgress(Planned, 0, 2, null, Figures));
        shown.Show(new LabProgress(Planned, 1, 2, TimeSpan.FromSeconds(5), null));
        Assert.Equal($"0/2 done: 001/a/001{Environment.NewLine}1/2 done, 5 s left: 001/a/001{Environment.NewLine}", error.ToString());
    }

    [Theory]
    [InlineData("short", 20, "\rshort              ")]
    [InlineData("as long as the window", 20, "\ras long as the win…")]
    public void LiveLine_Text_FillsTheLineButItsLastColumn(string text, int columns, string written) =>
        Assert.Equal(written, LiveLine.Overwrite(text, columns));
}
