using System;
using System.IO;
using System.Runtime.InteropServices;
using TcpDiag.Testing;
using TcpDiag.Traces.Tests.Etl;

namespace TcpDiag.Bench;

/// <summary>The inputs of the benchmarks and the published program, made once and kept.</summary>
/// <param name="folder">Where they are kept.</param>
/// <param name="capture">A capture by record-capture.sh, or null.</param>
sealed class Workspace(string folder, string? capture)
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

    public string Output => Path.Combine(folder, "out.pcapng");

    /// <summary>Makes what is missing and publishes the program anew.</summary>
    public void Prepare()
    {
        Directory.CreateDirectory(folder);
        Publish(ProjectFolder.PathOf("src", "TcpDiag.Cli"), Path.Combine(folder, "tcpdiag"));
        PublishEmpty();
        Generate(LargeEtl, LargeRecords, compress: false);
        Generate(HalfEtl, HalfRecords, compress: false);
        Generate(SampleEtl, SampleRecords, compress: false);
        Generate(LargeCompressedEtl, LargeRecords, compress: true);
        Generate(SampleCompressedEtl, SampleRecords, compress: true);
        if (capture is not null)
        {
            Convert(CapturePcap, "-F", "pcap", capture, CapturePcap);
            Convert(CapturePart, "-r", capture, CapturePart, $"1-{PartPackets}");
            Convert(CaptureTenth, "-r", capture, CaptureTenth, "1-1000000");
        }
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
        Publish(project, Path.Combine(project, "out"));
    }

    static void Publish(string project, string output) => ExternalProgram.TryRun(
        "dotnet", ["publish", project, "-c", "Release", "-r", RuntimeInformation.RuntimeIdentifier, "--self-contained", "false", "-p:PublishReadyToRun=true", "-o", output, "-v", "quiet"], TimeSpan.FromMinutes(5));

    static void Generate(string path, long records, bool compress)
    {
        if (!File.Exists(path))
        {
            new EtlTraceGenerator().Write(File.Create(path), records, compress);
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
