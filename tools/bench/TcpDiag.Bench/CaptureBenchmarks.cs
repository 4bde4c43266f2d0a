using System.Globalization;
using TcpDiag.Testing;

namespace TcpDiag.Bench;

/// <summary>Analysing a capture of ten million packets and more.</summary>
static class CaptureBenchmarks
{
    const int Runs = 3;

    public static void Run(Workspace workspace, Report report)
    {
        if (workspace.Capture is not { } capture)
        {
            report.Skip("analyze", "no --capture; make one with tools/bench/record-capture.sh");
            return;
        }

        double packets = CountPackets(capture);
        Measurement ours = MeasuredCommand.Best(Runs, workspace.TcpDiag, "analyze", capture, "--json");
        double rate = packets / ours.Seconds;
        string own = $"{Report.Format(rate / 1e6)} M packets/s ({Report.Format(packets / 1e6)} M)";

        Measurement tcptrace = MeasuredCommand.Best(Runs, "tcptrace", "-n", "-l", workspace.CapturePcap);
        report.Add("analyze beside tcptrace -n -l", own, $"{Report.Format(packets / tcptrace.Seconds / 1e6)} M packets/s", rate / (packets / tcptrace.Seconds), 3);

        Measurement tshark = MeasuredCommand.Best(1, "tshark", "-n", "-q", "-z", "conv,tcp", "-r", workspace.CapturePart);
        double tsharkRate = Workspace.PartPackets / tshark.Seconds;
        report.Add("analyze beside tshark -q -z conv,tcp", own, $"{Report.Format(tsharkRate / 1e3)} k packets/s (rate from its first {Workspace.PartPackets / 1000} k)", rate / tsharkRate, 100);

        Measurement tenth = MeasuredCommand.Best(1, workspace.TcpDiag, "analyze", workspace.CaptureTenth, "--json");
        report.Add("peak memory of analyze, all beside a million", $"{Report.Format(ours.PeakMebibytes)} MiB", $"{Report.Format(tenth.PeakMebibytes)} MiB", ours.PeakMebibytes / tenth.PeakMebibytes, 1.2, isUpperBound: true);
        report.Add("peak memory of analyze, of 200 MiB", $"{Report.Format(ours.PeakMebibytes)} MiB", "200 MiB", ours.PeakMebibytes / 200, 1, isUpperBound: true);
    }

    static double CountPackets(string capture)
    {
        string table = ExternalProgram.Run("capinfos", "-c", "-M", "-T", "-r", capture).Lines[0];
        return double.Parse(table.Split('\t')[^1], CultureInfo.InvariantCulture);
    }
}
