using System;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Capture.Windows;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Windows;

/// <summary>Which engine records, and which one where somebody else uses it.</summary>
public sealed class EngineChoiceTests
{
    [Theory]
    [InlineData("auto", 26100, "pktmon", "from build 20348 on pktmon records packets and events, and filters by port")]
    [InlineData("auto", 26100, "netsh", null)]
    [InlineData("auto", 19045, "netsh", "before build 20348 only netsh records packets and events together")]
    [InlineData("netsh", 19045, "netsh", null)]
    public void WhyOf_Engine_IsKnownOnlyOfTheOneThatAutoChose(string name, int build, string engine, string? why) =>
        Assert.Equal(why, EngineChoice.Make(name, build).WhyOf(engine));

    static readonly CaptureSettings Settings = new() { Match = new MatchAll() };

    [Theory]
    [InlineData("auto", 20348, "pktmon", "netsh")]
    [InlineData("auto", 20347, "netsh", null)]
    [InlineData("pktmon", 26100, "pktmon", null)]
    [InlineData("etw", 26100, "etw", null)]
    public void Fallback_IsForPktmonThatNobodyAskedFor(string name, int build, string engine, string? fallback)
    {
        var choice = EngineChoice.Make(name, build);

        Assert.Equal(engine, choice.Engine!.Name);
        Assert.Equal(fallback, choice.Fallback(Settings)?.Name);
    }

    [Fact]
    public void Fallback_WhatNetshCannotDo_HasNone()
    {
        var choice = EngineChoice.Make("auto", 26100);

        Assert.Null(choice.Fallback(Settings with { WithDrops = true }));
        Assert.Null(choice.Fallback(Settings with { SplitBytes = 1 << 20 }));
    }

    [Theory]
    [InlineData("auto", "", "pktmon", "from build 20348 on pktmon records packets and events, and filters by port", null)]
    [InlineData("auto", "SenseNdr", "netsh", "pktmon has filters that are not ours (SenseNdr): netsh records instead of pktmon", null)]
    [InlineData("pktmon", "SenseNdr", "pktmon", "asked for", "pktmon has filters that are not ours (SenseNdr). It may belong to another person or to "
        + "a security program. Stop it where it was started, or with --take-over if it may be lost.")]
    [InlineData("netsh", "SenseNdr", "netsh", "asked for", null)]
    public void On_FiltersOfSomebodyElse_DecideWhereItRecords(string name, string filter, string engine, string reason, string? refusal)
    {
        (EngineChoice choice, string? why) = EngineChoice.Make(name, 26100).On(new Machine(filter), Settings);

        Assert.Equal(engine, choice.Engine!.Name);
        Assert.Equal(reason, choice.Reason);
        Assert.Equal(refusal, why);
    }

    [Fact]
    public void On_NoPktmon_IsNetsh()
    {
        (EngineChoice choice, _) = EngineChoice.Make("auto", 26100).On(new Machine(null), Settings);

        Assert.Equal("netsh", choice.Engine!.Name);
        Assert.Equal("pktmon.exe is not there: this Windows has no pktmon: netsh records instead of pktmon", choice.Reason);
    }

    sealed class Machine(string? filter) : QuietMachine
    {
        public override ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null) => call.ToString() switch
        {
            _ when filter is null => throw new CaptureException("pktmon.exe is not there: this Windows has no pktmon."),
            "pktmon status" => new(0, "Packet Monitor is not running."),
            "pktmon filter list" => new(0, filter.Length == 0 ? "Packet Filters:\n    None" : $"Packet Filters:\n     # Name\n     - ----\n     1 {filter}"),
            var other => throw new NotSupportedException(other),
        };
    }
}
