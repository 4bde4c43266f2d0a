using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Results;
using TcpDiag.Simulator.Senders;
using Xunit;

namespace TcpDiag.Probe.Tests;

/// <summary>The staircase against stacks whose window is known: it has to read what the simulated sender has.</summary>
public sealed class StaircaseTests
{
    const long Ms = 1_000_000;

    // A quarter of a step of min_RTT/4.
    const double QuarterStep = 1.0 / 16;

    public static TheoryData<string, long> Adapting => new() { { "rfc", 0 }, { "adaptive", 0 }, { "rfc", 5 * Ms }, { "22621", 1 * Ms } };

    public static TheoryData<string, long> NotAdapting => new() { { "fixed", 0 }, { "22000", 2 * Ms }, { "19041", 0 }, { "18362", 0 } };

    [Theory]
    [MemberData(nameof(Adapting))]
    public void Read_AdaptingSender_ReadsEachStepAndSixteenRecoveries(string stack, long oneWayNanos)
    {
        StaircaseProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, Find(stack), oneWayNanos);
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);

        // RFC 8985 §6.2 step 4: (1 + DSACK rounds) quarters of min_RTT, at most SRTT.
        AssertWindow(readings, "reo_wnd without DSACK", 0.25);
        AssertWindow(readings, "reo_wnd after 1 DSACK", 0.5);
        AssertWindow(readings, "reo_wnd after 2 DSACKs", 0.75);
        AssertWindow(readings, "reo_wnd after 3 DSACKs", 1);
        Assert.Equal(1, Find(readings, "waited for when late by 0.8 reo_wnd").Value);
        Assert.Equal(0, Find(readings, "waited for when late by 1.3 reo_wnd").Value);
        Assert.Equal(16, Find(readings, "recoveries for which the grown window lasts").Value);
    }

    [Theory]
    [MemberData(nameof(NotAdapting))]
    public void Read_NotAdaptingSender_ReadsOneWindow(string stack, long oneWayNanos)
    {
        StaircaseProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, Find(stack), oneWayNanos);
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);
        AssertWindow(readings, "reo_wnd without DSACK", 0.25);
        AssertWindow(readings, "reo_wnd after 1 DSACK", 0.25);
        AssertWindow(readings, "reo_wnd after 5 DSACKs", 0.25);
        Assert.Equal("the window does not follow DSACKs", Find(readings, "recoveries for which the grown window lasts").NotRead);
    }

    [Fact]
    public void Read_DuplicateAckSender_ReadsAThreshold()
    {
        StaircaseProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, Find("10586"));
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);
        Assert.Equal(3, Find(readings, "SACKed above a loss before any reordering").Value);
        Assert.StartsWith("it waits for a third SACK", Find(readings, "reo_wnd without DSACK").NotRead, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_SequenceNumbersWrap_ReadsTheSame()
    {
        StaircaseProfile plain = new();
        StaircaseProfile wrapping = new();
        VirtualUpload one = VirtualUpload.Run(plain, new SenderTraits());
        VirtualUpload other = VirtualUpload.Run(wrapping, new SenderTraits(), iss: uint.MaxValue - 1_000_000);
        Assert.Equal(plain.Read(one.View, one.End), wrapping.Read(other.View, other.End));
    }

    static SenderTraits Find(string stack) => int.TryParse(stack, out int build) ? SenderVariants.FindBuild(build)! : SenderVariants.Find(stack)!;

    static ProbeReading Find(IReadOnlyList<ProbeReading> readings, string name) =>
        readings.Single(reading => string.Equals(reading.Name, name, StringComparison.Ordinal));

    static void AssertWindow(IReadOnlyList<ProbeReading> readings, string name, double minRtts)
    {
        ProbeReading reading = Find(readings, name);
        bool isNear = reading.Value is { } value && Math.Abs(value - minRtts) <= QuarterStep;
        Assert.True(isNear, $"{name}: expected {minRtts}, read {reading}\n{string.Join('\n', readings)}");
    }
}
