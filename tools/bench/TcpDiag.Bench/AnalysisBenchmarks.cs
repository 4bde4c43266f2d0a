namespace TcpDiag.Bench;

/// <summary>The full analysis on one core beside peers: real captures, and made-up ones with many connections, losses and reordering.</summary>
static class AnalysisBenchmarks
{
    const int Runs = 3;
    const int RunsInTurns = 7; // the machine may be slow for minutes, and not for both alike
    const double HundredMillion = 100e6;

    static readonly string[] OneCore = ["taskset", "-c", "0"];
    static readonly string[] TwoCores = ["taskset", "-c", "0,1"];

    public static void Run(Workspace workspace, Report report)
    {
        workspace.PrepareCaptures();
        if (workspace.Capture is { } capture)
        {
            double packets = Workspace.CountPackets(capture);
            BesideTcptrace(workspace, report, "a capture of few losses", packets, capture, workspace.CapturePcap, 1.5);
            BesideTshark(workspace, report, packets);
            Memory(workspace, report, capture);
        }
        else
        {
            report.Skip("analyze", "no --capture; make one with tools/bench/record-capture.sh");
        }

        if (workspace.LossyCapture is { } lossy)
        {
            BesideTcptrace(workspace, report, "a capture of many losses", Workspace.CountPackets(lossy), lossy, workspace.LossyCapturePcap, 3);
        }

        BesideTcptrace(workspace, report, "1,000 connections with losses and reordering", Workspace.CountPackets(workspace.RoughPcap), workspace.RoughPcap,
            workspace.RoughPcap, 3);
        BesideTcptrace(workspace, report, "100,000 connections", Workspace.CountPackets(workspace.ManyPcap), workspace.ManyPcap, workspace.ManyPcap, 3);
        AsText(workspace, report);
        SecondCore(workspace, report);
        HundredMillionPackets(report);
    }

    static void BesideTcptrace(Workspace workspace, Report report, string what, double packets, string ours, string peers, double goal)
    {
        (double own, double peer) = MeasuredCommand.Fastest(RunsInTurns, [.. OneCore, workspace.TcpDiag, "analyze", ours, "--json"],
            [.. OneCore, "tcptrace", "-n", "-l", peers]);
        report.Add($"analyze {what}, beside tcptrace -n -l", Report.Rate(packets / own, packets), $"{Report.Format(packets / peer / 1e6)} M packets/s", peer / own,
            goal);
    }

    // What a person sees: a table of them all, and the words of a few findings.
    static void AsText(Workspace workspace, Report report)
    {
        double json = MeasuredCommand.Best(Runs, [.. OneCore, workspace.TcpDiag, "analyze", workspace.ManyPcap, "--json"]).Seconds;
        double text = MeasuredCommand.Best(Runs, [.. OneCore, workspace.TcpDiag, "analyze", workspace.ManyPcap]).Seconds;
        report.Add("analyze 100,000 connections as text beside --json", $"{Report.Format(text)} s", $"{Report.Format(json)} s", json / text, 1);
    }

    static void BesideTshark(Workspace workspace, Report report, double packets)
    {
        double own = packets / MeasuredCommand.Best(Runs, [.. OneCore, workspace.TcpDiag, "analyze", workspace.Capture!, "--json"]).Seconds;
        double peer = Workspace.PartPackets / MeasuredCommand.Best(1,
            [.. OneCore, "tshark", "-n", "-q", "-z", "conv,tcp", "-r", workspace.CapturePart]).Seconds;
        report.Add("analyze beside tshark -q -z conv,tcp", Report.Rate(own, packets),
            $"{Report.Format(peer / 1e3)} k packets/s (rate from its first {Workspace.PartPackets / 1000} k)", own / peer, 60);
    }

    static void Memory(Workspace workspace, Report report, string capture)
    {
        Measurement all = MeasuredCommand.Best(1, workspace.TcpDiag, "analyze", capture, "--json");
        Measurement tenth = MeasuredCommand.Best(1, workspace.TcpDiag, "analyze", workspace.CaptureTenth, "--json");
        report.Add("peak memory of analyze, all beside a million", $"{Report.Format(all.PeakMebibytes)} MiB", $"{Report.Format(tenth.PeakMebibytes)} MiB",
            all.PeakMebibytes / tenth.PeakMebibytes, 1.2, isUpperBound: true);
        report.Add("peak memory of analyze, of 200 MiB", $"{Report.Format(all.PeakMebibytes)} MiB", "200 MiB", all.PeakMebibytes / 200, 1, isUpperBound: true);
    }

    // Not a goal of its own: it tells how much a machine with more cores gains.
    static void SecondCore(Workspace workspace, Report report)
    {
        double one = MeasuredCommand.Best(Runs, [.. OneCore, workspace.TcpDiag, "analyze", workspace.RoughPcap, "--json"]).Seconds;
        double two = MeasuredCommand.Best(Runs, [.. TwoCores, workspace.TcpDiag, "analyze", workspace.RoughPcap, "--json"]).Seconds;
        report.Add("analyze on two cores beside one", $"{Report.Format(two)} s", $"{Report.Format(one)} s", one / two, 1);
    }

    // In this process, packet by packet: nothing is stored, so the memory is that of the analysis.
    static void HundredMillionPackets(Report report)
    {
        Measurement run = MeasuredCommand.Best(1, [.. OneCore, Workspace.Self, "synthetic"]);
        report.Add("peak memory of 100 M packets in 100,000 connections",
            $"{Report.Format(run.PeakMebibytes)} MiB ({Report.Format(HundredMillion / run.Seconds / 1e6)} M packets/s, made up meanwhile)", "1024 MiB",
            run.PeakMebibytes / 1024, 1, isUpperBound: true);
    }
}
