using System;
using System.IO;
using System.Linq;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>An experiment that goes on after the machine was upgraded, in the same directory.</summary>
public sealed class ResumptionTests : IDisposable
{
    const string Old = "Windows 10.0.26100.1742";
    const string New = "Windows 10.0.26100.4061";

    static readonly LabMatrix Matrix = new("m", "d", 2, [new LabAxis("rtt", ["5ms"])], [], new RecordingSettings(), [new LabSide("a", "adaptive", [], [])]);

    readonly string _root = Directory.CreateTempSubdirectory("tcpdiag-resume").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    static LabRunDocument Header(string system, ulong seed = 7) => new(LabRunDocument.CurrentSchema, Matrix, seed, 1, "192.0.2.7:5202", system, false, []);

    LabRunDocument Open(LabRunDocument header, bool isResumed)
    {
        using ResultFolder folder = ResultFolder.Open(_root, header, isResumed);
        folder.WriteRun(folder.Header);
        return folder.Header;
    }

    static string[] Sides(LabRunDocument run) => [.. run.Matrix.Sides.Select(side => $"{side.Name} {side.System}")];

    [Fact]
    public void Open_AfterAnUpgrade_PutsTheNewBuildBesideTheOld()
    {
        Open(Header(Old), isResumed: false);

        Assert.Equal([$"a {Old}", $"a-26100-4061 {New}"], Sides(Open(Header(New), isResumed: true)));
    }

    [Fact]
    public void Open_OnceMoreOnEitherBuild_AddsNothing()
    {
        Open(Header(Old), isResumed: false);
        string[] both = Sides(Open(Header(New), isResumed: true));

        Assert.Equal(both, Sides(Open(Header(New), isResumed: true)));
        Assert.Equal(both, Sides(Open(Header(Old), isResumed: true)));
    }

    // The same cell and iteration: pairs, whatever the build.
    [Fact]
    public void Plan_OfBothBuilds_HasTheSameSeeds()
    {
        Open(Header(Old), isResumed: false);
        PlannedIteration[] plan = [.. PlannedIteration.Plan(Open(Header(New), isResumed: true).Matrix, 7)];

        Assert.Equal(4, plan.Length);
        Assert.All(plan.GroupBy(planned => planned.Iteration), runs => Assert.Single(runs.Select(planned => planned.Seed).Distinct()));
    }

    [Fact]
    public void Open_UpgradedWithoutResume_SaysWhatHelps()
    {
        Open(Header(Old), isResumed: false);
        LabException refused = Assert.Throws<LabException>(() => Open(Header(New), isResumed: false));

        Assert.EndsWith(
            $"holds another experiment: kernel is {Old} there, {New} here. Choose another --out, or remove it, or go on after an upgrade with --resume.",
            refused.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Open_AnotherExperiment_IsRefusedWithResumeToo()
    {
        Open(Header(Old), isResumed: false);
        LabException refused = Assert.Throws<LabException>(() => Open(Header(New, seed: 8), isResumed: true));

        Assert.EndsWith("holds another experiment: seed is 7 there, 8 here. Choose another --out, or remove it.", refused.Message, StringComparison.Ordinal);
    }
}
