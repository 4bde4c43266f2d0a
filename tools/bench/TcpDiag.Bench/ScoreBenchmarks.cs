namespace TcpDiag.Bench;

/// <summary>
/// The scores beside the analysis that they need, and the simulator. Of each the processor time counts, which on one core is what it takes on a machine that does
/// nothing else.
/// </summary>
static class ScoreBenchmarks
{
    const int Runs = 5;
    const double Million = 1e6;

    static readonly string[] OneCore = ["taskset", "-c", "0"];

    public static void Run(Workspace workspace, Report report)
    {
        workspace.PrepareCaptures();
        workspace.PrepareSimulation();
        Score(workspace, report, "1,000 connections with losses and reordering", workspace.RoughPcap);
        Score(workspace, report, "a simulated transfer at 1 Gbit/s with losses and reordering", workspace.SimulatedCapture);
        if (workspace.LossyCapture is not null)
        {
            Score(workspace, report, "a capture of many losses", workspace.LossyCapturePcap);
        }

        // Compiled whole, as a release is: this program is compiled while it runs.
        double simulated = Seconds("env", "DOTNET_TieredCompilation=0", Workspace.Self, "simulate");
        report.Add("simulate 4 GB at 1 Gbit/s and 20 ms, segments and acknowledgments", Report.Rate(SimulatedFlows.Packets / simulated, SimulatedFlows.Packets),
            "2 M packets/s", SimulatedFlows.Packets / simulated / (2 * Million), 1);
    }

    // Of the goal the second column is what one core has to do in a second; beside it stands how much longer the scores take than the analysis they need.
    static void Score(Workspace workspace, Report report, string what, string capture)
    {
        double packets = Workspace.CountPackets(capture);
        double scored = Seconds(workspace.TcpDiag, "score", capture, "--json");
        double analysed = Seconds(workspace.TcpDiag, "analyze", capture, "--json");
        report.Add($"score {what}", Report.Rate(packets / scored, packets), "1 M packets/s", packets / scored / Million, 1);
        report.AddBeside("the same beside analyze", $"{Report.Format(scored)} s", $"{Report.Format(analysed)} s", analysed / scored);
    }

    static double Seconds(params string[] command) => MeasuredCommand.Best(Runs, [.. OneCore, .. command]).CpuSeconds;
}
