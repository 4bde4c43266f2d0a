using System.IO;
using TcpDiag.Testing;

namespace TcpDiag.Bench;

/// <summary>Counting and converting .etl files.</summary>
static class EtlBenchmarks
{
    const int Runs = 3;
    const double Megabyte = 1e6;

    const string DissectCount = """
        import collections, sys
        from dissect.etl.etl import ETL
        counts = collections.Counter()
        with open(sys.argv[1], 'rb') as file:
            for event in ETL(file):
                header = event.header
                descriptor = getattr(header, 'descriptor', None)
                counts[header.provider_id, descriptor.id if descriptor else header.opcode, header.version] += 1
        """;

    public static void Run(Workspace workspace, Report report)
    {
        workspace.PrepareEtl();
        Count(workspace, report, "count a plain .etl", workspace.LargeEtl, workspace.SampleEtl, goal: 100);
        CompareWithBareLoop(workspace, report, workspace.LargeEtl);
        Count(workspace, report, "count a compressed .etl", workspace.LargeCompressedEtl, workspace.SampleCompressedEtl, goal: 60);
        Convert(workspace, report);
        CompareMemory(workspace, report);
    }

    static void Count(Workspace workspace, Report report, string what, string large, string sample, double goal)
    {
        Measurement ours = MeasuredCommand.Best(Runs, workspace.TcpDiag, "info", large, "--json");
        double ourRate = Size(large) / Megabyte / ours.Seconds;
        if (Peers.DissectPython is not { } python)
        {
            report.Skip(what, "no dissect.etl");
            return;
        }

        Measurement theirs = MeasuredCommand.Best(1, python, "-c", DissectCount, sample);
        double theirRate = Size(sample) / Megabyte / theirs.Seconds;
        report.Add(what, $"{Report.Format(ourRate)} MB/s", $"dissect.etl {Report.Format(theirRate)} MB/s (on {Report.Format(Size(sample) / Megabyte)} MB)",
            ourRate / theirRate, goal);
    }

    static void CompareWithBareLoop(Workspace workspace, Report report, string file)
    {
        Measurement bare = MeasuredCommand.Best(Runs, Workspace.Self, "bare-loop", file);
        Measurement count = MeasuredCommand.Best(Runs, Workspace.Self, "count", file);
        report.Add(
            "count alone beside a bare loop", $"{Report.Format(count.Seconds)} s", $"bare loop {Report.Format(bare.Seconds)} s", bare.Seconds / count.Seconds,
            0.5);
        Measurement info = MeasuredCommand.Best(Runs, workspace.TcpDiag, "info", file, "--json");
        report.Add(
            "info, which also finds capture points and names", $"{Report.Format(info.Seconds)} s", $"bare loop {Report.Format(bare.Seconds)} s",
            bare.Seconds / info.Seconds, 0.5);
    }

    static void Convert(Workspace workspace, Report report)
    {
        Measurement ours = MeasuredCommand.Best(Runs, workspace.TcpDiag, "convert", workspace.LargeEtl, workspace.Output);
        double rate = Size(workspace.LargeEtl) / Megabyte / ours.CpuSeconds;
        report.Add("convert .etl to .pcapng, input per core", $"{Report.Format(rate)} MB/s", "goal 400 MB/s", rate / 400, 1);
    }

    static void CompareMemory(Workspace workspace, Report report)
    {
        double large = MeasuredCommand.Best(1, workspace.TcpDiag, "info", workspace.LargeEtl, "--json").PeakMebibytes;
        double half = MeasuredCommand.Best(1, workspace.TcpDiag, "info", workspace.HalfEtl, "--json").PeakMebibytes;
        report.Add("peak memory of info, 600 beside 300 MB", $"{Report.Format(large)} MiB", $"{Report.Format(half)} MiB", large / half, 1.2,
            isUpperBound: true);
        report.Add("peak memory of info, of 200 MiB", $"{Report.Format(large)} MiB", "200 MiB", large / 200, 1, isUpperBound: true);
    }

    static double Size(string path) => new FileInfo(path).Length;
}
