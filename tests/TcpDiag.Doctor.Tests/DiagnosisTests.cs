using System;
using System.IO;
using System.Linq;
using System.Reflection;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Doctor.Answers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Doctor.Tests;

public sealed class DiagnosisTests
{
    public static TheoryData<string> Ids =>
        [.. typeof(FindingIds).GetFields(BindingFlags.Public | BindingFlags.Static).Select(id => (string)id.GetRawConstantValue()!)];

    [Theory]
    [MemberData(nameof(Ids))]
    public void Culprits_EveryFinding_IsSomebodysMatter(string id) => Assert.True(Culprits.ById.ContainsKey(id));

    // The client records a download: the server sends.
    [Theory]
    [InlineData(FindingIds.PathLoss, false, Vantage.Client, Side.Network)]
    [InlineData(FindingIds.ReceiveWindowLimited, false, Vantage.Client, Side.ThisComputer)]
    [InlineData(FindingIds.ReceiveWindowLimited, true, Vantage.Client, Side.FarEnd)]
    [InlineData(FindingIds.SendBufferLimited, true, Vantage.Client, Side.ThisComputer)]
    [InlineData(FindingIds.SendBufferLimited, true, Vantage.Server, Side.FarEnd)]
    [InlineData(FindingIds.ZeroWindow, false, Vantage.Server, Side.FarEnd)]
    [InlineData(FindingIds.SlowAnswers, null, Vantage.Client, Side.FarEnd)]
    [InlineData(FindingIds.SlowAnswers, null, Vantage.Server, Side.ThisComputer)]
    [InlineData(FindingIds.SlowAnswers, null, Vantage.Middle, Side.Unclear)]
    [InlineData(FindingIds.PathLoss, null, Vantage.Middle, Side.Network)]
    [InlineData(FindingIds.WindowOrBuffer, false, Vantage.Client, Side.Unclear)]
    [InlineData(FindingIds.ClockStep, null, Vantage.Client, Side.Nothing)]
    [InlineData(FindingIds.PathFull, false, Vantage.Client, Side.Nothing)]
    public void Of_Finding_BlamesTheRightSide(string id, bool? isFromClient, Vantage vantage, Side side) =>
        Assert.Equal(side, Diagnostician.Of(With(Found(id, isFromClient, vantage, 5)), [], null).Side);

    [Fact]
    public void Of_SeveralFindings_NamesTheOneThatCostMost()
    {
        Diagnosis diagnosis = Diagnostician.Of(
            With(Found(FindingIds.SlowAnswers, null, Vantage.Client, 2), Found(FindingIds.PathLoss, false, Vantage.Client, 3)), [], null);
        Assert.Equal((FindingIds.PathLoss, 3.0), (diagnosis.Cause!.Id, diagnosis.SecondsLost));
        Assert.Equal([FindingIds.SlowAnswers], diagnosis.Others.Select(finding => finding.Id));
    }

    [Fact]
    public void Of_NotesAlone_AdvisesNothing()
    {
        Finding note = Found(FindingIds.PathLoss, false, Vantage.Client, 0.1) with { Severity = FindingSeverity.Note };
        Diagnosis diagnosis = Diagnostician.Of(With(note), [new(CheckIds.Clock, CheckResult.Note, "x") { Remedy = new("y", "z", null, Doer.User) }], null);
        Assert.Equal(Side.Nothing, diagnosis.Side);
        Assert.Empty(diagnosis.Steps);
    }

    [Fact]
    public void Of_UnsureFinding_CannotBeTold()
    {
        Diagnosis diagnosis = Diagnostician.Of(With(Found(FindingIds.PathLoss, false, Vantage.Client, 5) with { Confidence = 0.4 }), [], null);
        Assert.Equal((Side.Unclear, (Finding?)null), (diagnosis.Side, diagnosis.Cause));
    }

    // 5 of 8 s: which of the server's settings or programs it is does not show, but that it is the server.
    [Theory]
    [InlineData(5, 8, Side.FarEnd)]
    [InlineData(3.9, 8, Side.Nothing)] // below half of the time
    [InlineData(0.9, 1, Side.Nothing)] // nobody would notice
    public void Of_UnsureFindingOfAnEnd_BlamesTheEndWhereItCostsMost(double lost, long duration, Side side)
    {
        Finding unsure = Found(FindingIds.SendBufferLimited, false, Vantage.Client, lost) with
        {
            Confidence = 0.45,
            Severity = FindingSeverity.Note,
            Connection = Between(Vantage.Client) with { Last = new(duration * 1_000_000_000) },
        };
        Assert.Equal(side, Diagnostician.Of(With(unsure), [], null).Side);
    }

    [Fact]
    public void Of_SettingThatCheckAndFindingName_IsOneStep()
    {
        var check = new Check(CheckIds.TcpSettings, CheckResult.Problem, "SACK is off")
        {
            Remedy = new("Default.", "sysctl -w net.ipv4.tcp_sack=1", "sysctl -w net.ipv4.tcp_sack=0", Doer.Administrator),
            BearsOn = [FindingIds.SackOff],
        };
        Finding advised = new(FindingIds.SackOff, Between(Vantage.Client), true, FindingSeverity.Warning, 5, 0.9, () =>
            new("Title.", "Cause.", [], ["Linux client: net.ipv4.tcp_sack=1."]));
        Assert.Single(Diagnostician.Of(With(advised), [check], null).Steps);
    }

    [Fact]
    public void Of_FailedTransfer_IsExplainedByACheck()
    {
        var check = new Check(CheckIds.PathMtu, CheckResult.Problem, "packets vanish") { Remedy = new("Probe.", "a", "b", Doer.Administrator) };
        Diagnosis diagnosis = Diagnostician.Of(With(), [check], null, TransferEnd.Failed);
        Assert.Equal((Side.Network, check), (diagnosis.Side, diagnosis.Suspect));
        Assert.Equal(("packets vanish", "Probe."), (diagnosis.Steps.Single().Because!.Text, diagnosis.Steps.Single().What.Text));
        Assert.Equal(Side.Unclear, Diagnostician.Of(With(), [], null, TransferEnd.Failed).Side);
    }

    // The application that gave up is this program.
    [Fact]
    public void Of_TransferThatWasCutShort_IsNoApplicationThatGaveUp()
    {
        Finding gaveUp = Found(FindingIds.ApplicationTimeout, false, Vantage.Client, 5);
        Assert.Equal(Side.ThisComputer, Diagnostician.Of(With(gaveUp), [], null).Side);
        Diagnosis cut = Diagnostician.Of(With(gaveUp), [], null, TransferEnd.CutShort);
        Assert.Equal(Side.Nothing, cut.Side);
        Assert.Empty(cut.Others);
    }

    [Fact]
    public void Of_SettingThatBearsOnTheFinding_ComesFirst()
    {
        var check = new Check(CheckIds.TcpSettings, CheckResult.Problem, "small buffer")
        {
            Remedy = new("Grow.", "sysctl -w a=1", "sysctl -w a=0", Doer.Administrator),
            BearsOn = [FindingIds.ReceiveWindowLimited],
        };
        Remedy step = Diagnostician.Of(With(Found(FindingIds.ReceiveWindowLimited, false, Vantage.Client, 5)), [check], null).Steps[0];
        Assert.Equal(("small buffer", "Grow.", "sysctl -w a=1"), (step.Because!.Text, step.What.Text, step.Command));
    }

    [Theory]
    [InlineData("Network: look.", Doer.Network, null, null)]
    [InlineData("Linux client: net.ipv4.tcp_sack=1.", Doer.Administrator, "sysctl -w net.ipv4.tcp_sack=1", "sysctl -w net.ipv4.tcp_sack=0")]
    [InlineData("Linux server: net.ipv4.tcp_dsack=1.", Doer.FarEnd, "sysctl -w net.ipv4.tcp_dsack=1", "sysctl -w net.ipv4.tcp_dsack=VALUE-BEFORE")]
    [InlineData("Linux client: net.ipv4.tcp_ecn=0 replaces marks by loss: to test only.", Doer.Administrator, null, null)] // a caution, no command
    [InlineData("Application on the client: read.", Doer.Developer, null, null)]
    [InlineData("Application on the server: read.", Doer.FarEnd, null, null)]
    [InlineData("Many small steps: fewer.", Doer.User, null, null)]
    public void AdviceSteps_Line_HasDoerCommandAndUndo(string line, Doer who, string? command, string? undo)
    {
        Remedy step = Steps("0").Of([line]).Single();
        Assert.Equal((line, command, undo, who), (step.What.Text, step.Command, step.Undo, step.Who));
    }

    [Theory]
    [InlineData("Windows client: Get-NetTCPSetting.")] // the client is Linux
    [InlineData("Linux client: net.ipv4.tcp_sack=1.")] // it has that value
    public void AdviceSteps_WhatDoesNotApply_IsLeftOut(string line) => Assert.Empty(Steps("1").Of([line]));

    // A command whose wording changes in the advice would lose its undo.
    [Fact]
    public void AdviceSteps_KnownCommands_OccurInAdvice()
    {
        string rules = string.Concat(Directory.GetFiles(ProjectFolder.PathOf("src", "TcpDiag.Analysis", "Findings", "Rules"), "*.cs").Select(File.ReadAllText));
        Assert.All(AdviceSteps.Commands, command => Assert.Contains(command, rules, StringComparison.Ordinal));
    }

    static AdviceSteps Steps(string value) => new(isClientHere: true, EndSystem.Linux, EndSystem.Unknown, _ => value);

    static TraceAnalysis With(params Finding[] findings) => new()
    {
        Connections = [.. findings.Select(finding => finding.Connection).OfType<Connection>()],
        Findings = findings,
    };

    static Finding Found(string id, bool? isFromClient, Vantage vantage, double seconds) =>
        new(id, Between(vantage), isFromClient, FindingSeverity.Warning, seconds, 0.9, () => new("Title.", "Cause.", [], ["Network: look."]));

    static Connection Between(Vantage vantage) => new()
    {
        Client = default,
        Server = default,
        Start = default,
        Vantage = vantage,
        FromClient = new(),
        FromServer = new(),
    };
}
