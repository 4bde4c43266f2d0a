using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Results;
using TcpDiag.Simulator.Senders;
using Xunit;

namespace TcpDiag.Probe.Tests;

/// <summary>Lost tails and lost retransmissions against stacks whose answer is known.</summary>
public sealed class TailTests
{
    const long Ms = 1_000_000;

    [Theory]
    [InlineData(0)]
    [InlineData(4 * Ms)]
    public void Read_SenderWithProbes_ReadsTwiceSrtt(long oneWayNanos)
    {
        TailProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, SenderVariants.Find("adaptive")!, oneWayNanos);
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);
        Assert.Equal(1, Find(readings, "tails probed with the last segment").Value);
        Assert.InRange(Find(readings, "PTO with several segments in flight").Value!.Value, 1.98, 2.02); // RFC 8985 §7.2: 2 · SRTT
        Assert.InRange(Find(readings, "PTO with one segment in flight").Value!.Value, 2.5, 7.5);        // and at most 200 ms of 40
        Assert.Equal(1, Find(readings, "lost probes followed by the first segment").Value);              // RFC 8985 §7.3: one probe
    }

    [Fact]
    public void Read_SenderWithoutProbes_SaysThatTheTimerCameFirst()
    {
        TailProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, SenderVariants.FindBuild(10_586)!);
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);
        Assert.Equal(0, Find(readings, "tails probed with the last segment").Value);
        Assert.StartsWith("the first missing segment came first", Find(readings, "PTO with several segments in flight").NotRead, StringComparison.Ordinal);
        Assert.StartsWith("It has no tail loss probe", profile.Summarise(upload.View, upload.End), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(22_621, 1)]
    [InlineData(19_041, 1)]
    [InlineData(18_362, 0)]
    [InlineData(10_586, 0)]
    public void Read_LostRetransmissions_AreFoundByWhoKeepsTimesOfSegments(int build, double part)
    {
        LostRetransmissionProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, SenderVariants.FindBuild(build)!);
        ProbeReading found = Find(profile.Read(upload.View, upload.End), "lost retransmissions sent again without RTO");
        Assert.Equal(part, found.Value);
        Assert.Equal(8, found.Count);
    }

    static ProbeReading Find(IReadOnlyList<ProbeReading> readings, string name) =>
        readings.Single(reading => string.Equals(reading.Name, name, StringComparison.Ordinal));
}
