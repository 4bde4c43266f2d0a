using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Testing;
using TcpDiag.Traces.Tests.Etl;

namespace TcpDiag.Bench;

/// <summary>The inputs of the benchmarks and the published program, made once and kept.</summary>
/// <param name="folder">Where they are kept.</param>
/// <param name="capture">A capture by record-capture.sh, or null.</param>
/// <param name="lossyCapture">The same with many losses, or null.</param>
sealed class Workspace(string folder, string? capture, string? lossyCapture)
{
    // About 166 bytes each: 600 MB, 300 MB and 20 MB.
    const long LargeRecords = 3_600_000;
    const long HalfRecords = 1_800_000;
    const long SampleRecords = 120_000;

    /// <summary>Packets of the part that slow peers read.</summary>
    public const int PartPackets = 200_000;

    /// <summary>Published ReadyToRun program.</summary>
    public string TcpDiag => Path.Combine(folder, "tcpdiag", "tcpdiag");

    /// <summary>An empty console program, published the same way.</summary>
    public string Empty => Path.Combine(folder, "empty", "out", "empty");

    /// <summary>This program.</summary>
    public static string Self => Environment.ProcessPath!;

    public string LargeEtl => Path.Combine(folder, "large.etl");

    public string HalfEtl => Path.Combine(folder, "half.etl");

    public string SampleEtl => Path.Combine(folder, "sample.etl");

    public string LargeCompressedEtl => Path.Combine(folder, "large-compressed.etl");

    public string SampleCompressedEtl => Path.Combine(folder, "sample-compressed.etl");

    /// <summary>The capture of ten million packets, or null.</summary>
    public string? Capture => capture;

    /// <summary>The same in the format that tcptrace reads.</summary>
    public string CapturePcap => Path.Combine(folder, "capture.pcap");

    /// <summary>The first packets of the capture.</summary>
    public string CapturePart => Path.Combine(folder, "part.pcapng");

    /// <summary>A tenth of the capture.</summary>
    public string CaptureTenth => Path.Combine(folder, "tenth.pcapng");

    /// <summary>A capture with many losses, or null.</summary>
    public string? LossyCapture => lossyCapture;

    /// <summary>The same in the format that tcptrace reads.</summary>
    public string LossyCapturePcap => Path.Combine(folder, "lossy.pcap");

    /// <summary>Made-up traffic of few connections with many losses and reorderings.</summary>
    public string RoughPcap => Path.Combine(folder, "rough.pcap");

    /// <summary>Made-up traffic of many connections.</summary>
    public string ManyPcap => Path.Combine(folder, "many.pcap");

    /// <summary>A simulated transfer with hundreds of segments in flight, late and lost ones among them.</summary>
    public string SimulatedCapture => Path.Combine(folder, "simulated", "001", "adaptive", "001", "sender.pcapng");

    public string Output => Path.Combine(folder, "out.pcapng");

    /// <summary>Publishes the program anew.</summary>
    public void Prepare()
    {
        Directory.CreateDirectory(folder);
        Publish(ProjectFolder.PathOf("src", "TcpDiag.Cli"), Path.Combine(folder, "tcpdiag"), "-p:PublishProfile=release");
        PublishEmpty();
    }

    /// <summary>Makes the .etl files that are missing.</summary>
    public void PrepareEtl()
    {
        Generate(LargeEtl, LargeRecords, compress: false);
        Generate(HalfEtl, HalfRecords, compress: false);
        Generate(SampleEtl, SampleRecords, compress: false);
        Generate(LargeCompressedEtl, LargeRecords, compress: true);
        Generate(SampleCompressedEtl, SampleRecords, compress: true);
    }

    /// <summary>Has the program simulate, if it has not yet.</summary>
    public void PrepareSimulation()
    {
        if (!File.Exists(SimulatedCapture))
        {
            string matrix = Path.Combine(folder, "simulated.yaml");
            File.WriteAllText(matrix, """
                name: simulated
                iterations: 1
                path: { rate: 1gbit, rtt: 20ms, buffer: 1bdp, loss: "out:0.002pct", reorder: "out:0.1pct:add:3ms" }
                flow: { bytes: 1000mb, limit: 600s }
                sides: { adaptive: { stack: adaptive } }
                """);
            ExternalProgram.Run(TcpDiag, "simulate", matrix, "--out", Path.Combine(folder, "simulated"));
        }
    }

    /// <summary>Makes the captures that are missing.</summary>
    public void PrepareCaptures()
    {
        Generate(RoughPcap, new TrafficPlan(1_000, 1_400) { LossPerMille = 60, ReorderingPerMille = 60, SpuriousPerMille = 30 });
        Generate(ManyPcap, new TrafficPlan(100_000, 4) { LossPerMille = 5, ReorderingPerMille = 5, SpuriousPerMille = 2 });
        if (lossyCapture is not null)
        {
            Convert(LossyCapturePcap, "-F", "pcap", lossyCapture, LossyCapturePcap);
        }

        if (capture is not null)
        {
            Convert(CapturePcap, "-F", "pcap", capture, CapturePcap);
            Convert(CapturePart, "-r", capture, CapturePart, $"1-{PartPackets}");
            Convert(CaptureTenth, "-r", capture, CaptureTenth, "1-1000000");
        }
    }

    /// <summary>Counts the packets of a capture.</summary>
    /// <param name="capture">Its path.</param>
    /// <returns>How many.</returns>
    public static double CountPackets(string capture)
    {
        if (!File.Exists(capture))
        {
            throw new FileNotFoundException("the capture to measure with is missing", capture);
        }

        string table = ExternalProgram.Run("capinfos", "-c", "-M", "-T", "-r", capture).Lines[0];
        return double.Parse(table.Split('\t')[^1], CultureInfo.InvariantCulture);
    }

    void PublishEmpty()
    {
        string project = Path.Combine(folder, "empty");
        Directory.CreateDirectory(project);
        File.WriteAllText(Path.Combine(project, "empty.csproj"), """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <InvariantGlobalization>true</InvariantGlobalization>
              </PropertyGroup>
            </Project>
            """);
        File.WriteAllText(Path.Combine(project, "Program.cs"), "System.Console.WriteLine(\"empty\");\n");
        Publish(project, Path.Combine(project, "out"), "-c", "Release", "--self-contained", "-p:PublishReadyToRun=true", "-p:PublishReadyToRunComposite=true");
    }

    // As it is released; the empty program knows no profile, and is told what matters of it.
    static void Publish(string project, string output, params string[] how) => ExternalProgram.TryRun(
        "dotnet",
        ["publish", project, "-r", RuntimeInformation.RuntimeIdentifier, .. how, "-o", output, "-v", "quiet"],
        TimeSpan.FromMinutes(10));

    static void Generate(string path, long records, bool compress)
    {
        if (!File.Exists(path))
        {
            new EtlTraceGenerator().Write(File.Create(path), records, compress);
        }
    }

    static void Generate(string path, TrafficPlan plan)
    {
        if (!File.Exists(path))
        {
            using SyntheticTrace trace = new(plan);
            PcapFile.Write(path, trace);
        }
    }

    static void Convert(string path, params string[] arguments)
    {
        if (!File.Exists(path))
        {
            ExternalProgram.TryRun("editcap", arguments, TimeSpan.FromMinutes(5));
        }
    }
}
