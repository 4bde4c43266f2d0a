using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using Xunit;

namespace TcpDiag.Simulator.Tests;

/// <summary>The simulator's paths are the emulator's: managed queues, recorded links and cross traffic work there too.</summary>
public class SharedLinkTests
{
    static readonly SimulatedFlow Long = new() { Bytes = 60_000_000, Sender = new SenderTraits { Congestion = CongestionTraits.Linux } };

    static double Megabits(params string[] options) =>
        SimulatedRun.Over(Long, ["rate 40mbit", "rtt 20ms", "buffer 1bdp", .. options]).Result.GoodputBitsPerSecond / 1e6;

    // Of n flows each has about 1/n of 40 Mbit/s, headers off. What a flow of the simulator gets beside those of the emulator shows whether they behave alike.
    [Theory]
    [InlineData(1, 12, 27)]
    [InlineData(3, 6, 15)]
    public void Cross_FlowsOfTheSameKind_LeaveAnEvenShare(int others, double low, double high) =>
        Assert.InRange(Megabits($"cross out:cubic:{others}:20ms"), low, high);
}
