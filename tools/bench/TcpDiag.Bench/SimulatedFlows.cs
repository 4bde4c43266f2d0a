using TcpDiag.Impairment.Profiles;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;

namespace TcpDiag.Bench;

/// <summary>A transfer that is simulated without a capture: what the model and its path cost.</summary>
static class SimulatedFlows
{
    const long Bytes = 4_000_000_000;
    const int Smss = 1_448;

    /// <summary>Segments and the acknowledgments of every second one, about.</summary>
    public const double Packets = Bytes * 1.5 / Smss;

    /// <summary>Simulates it.</summary>
    /// <returns>Data segments that were sent.</returns>
    public static long Run()
    {
        ImpairmentOptionsParser path = new();
        path.Set("--rate", "rate", "1gbit");
        path.Set("--rtt", "rtt", "20ms");
        path.Set("--buffer", "buffer", "2bdp");
        SimulatedFlow flow = new() { Sender = SenderVariants.Find("adaptive")!, Receiver = ReceiverVariants.Linux("adaptive"), Bytes = Bytes };
        return new Simulation(flow, path.Build().Settings with { Seed = 1 }, []).Run().Counts.Segments;
    }
}
