using System.Collections.Generic;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Results;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using Xunit;

namespace TcpDiag.Probe.Tests;

/// <summary>Recoveries and the end of slow start against stacks whose answer is known.</summary>
public sealed class PrrTests
{
    static readonly SenderTraits Reno = new() { Congestion = CongestionTraits.Rfc with { Algorithm = CongestionAlgorithm.Reno } };

    // RFC 9937 §6.2: ceil(prr_delivered · ssthresh / RecoverFS) − prr_out; 0.7 of CUBIC (RFC 9438 §4.6), half of Reno (RFC 5681 §3.1).
    [Theory]
    [InlineData(false, 0.6, 0.8)]
    [InlineData(true, 0.45, 0.6)]
    public void Prr_SendsInProportion(bool isReno, double low, double high)
    {
        PrrProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, isReno ? Reno : new SenderTraits());
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);

        Assert.InRange(readings[0].Value!.Value, low, high);
        Assert.InRange(readings[1].Value!.Value, 1, 3);
        Assert.InRange(readings[2].Value!.Value, 1, 2);
        Assert.InRange(readings[3].Value!.Value, low, high);
        Assert.EndsWith("PRR.", profile.Summarise(upload.View, upload.End));
        Assert.DoesNotContain("not PRR", profile.Summarise(upload.View, upload.End));
    }

    // Without PRR cwnd is ssthresh at once, and nothing is sent until half of what was in flight has arrived (RFC 6675 §5).
    [Fact]
    public void Prr_OfAWindowThatIsCutAtOnce_IsSilent()
    {
        PrrProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, Reno with { HasPrr = false });
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);

        Assert.InRange(readings[1].Value!.Value, 5, 20);
        Assert.Contains("not PRR", profile.Summarise(upload.View, upload.End));
    }

    // The window at the exit is what the sender itself had.
    [Fact]
    public void SlowStart_OfLinux_IsLeftWithItsWindow()
    {
        SlowStartProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, SenderVariants.Find("adaptive")!);
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);

        Assert.InRange(readings[0].Value!.Value * 1460 / upload.Sender!.Count().SlowStartExitCwnd, 0.9, 1.1);
        Assert.InRange(readings[1].Value!.Value, 1, 1.35);
    }

    // HyStart++ goes on by a quarter each round trip (RFC 9406 §4.3), once the smallest sample of a round is 5 ms above 40: within the round of 40 or 80 segments.
    [Fact]
    public void SlowStart_OfHyStartPlusPlus_GoesOnByAQuarter()
    {
        SlowStartProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, new SenderTraits());
        IReadOnlyList<ProbeReading> readings = profile.Read(upload.View, upload.End);

        Assert.InRange(readings[0].Value!.Value, 40, 100);
        Assert.InRange(readings[1].Value!.Value, 1.15, 1.35);
    }

    // Without HyStart nothing but a loss ends it, and none comes.
    [Fact]
    public void SlowStart_UntilALoss_IsNotLeft()
    {
        SlowStartProfile profile = new();
        VirtualUpload upload = VirtualUpload.Run(profile, Reno with { Congestion = Reno.Congestion with { Exit = SlowStartExit.LossOnly } });

        Assert.All(profile.Read(upload.View, upload.End), reading => Assert.Null(reading.Value));
        Assert.Contains("no exit", profile.Summarise(upload.View, upload.End));
    }
}
