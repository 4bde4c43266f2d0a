using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Shim.Linux;

namespace TcpDiag.ShimBench;

/// <summary>A bulk transfer over a cable of the kernel, with a recorder at its sending end and without, in turn.</summary>
[SupportedOSPlatform("linux")]
sealed class RecorderBench : IDisposable
{
    const string Near = "tdrn";
    const string Far = "tdrf";
    const string FarAddress = "10.80.0.2";

    /// <summary>The interface of the sending end.</summary>
    public const string Place = Near + "/v0";

    readonly Process _server;

    public RecorderBench()
    {
        foreach (string place in new[] { Near, Far })
        {
            NetworkNamespace.Delete(place);
            NetworkNamespace.Create(place);
        }

        Programs.Ip($"link add v0 netns {Near} type veth peer name v0 netns {Far}");
        foreach ((string place, string address) in new[] { (Near, "10.80.0.1"), (Far, FarAddress) })
        {
            Programs.Ip($"-n {place} addr add {address}/24 dev v0");
            Programs.Ip($"-n {place} link set v0 up");
        }

        _server = Iperf.Serve(Far);
    }

    /// <summary>What a recording held, and what it took.</summary>
    /// <param name="CpuSeconds">Processor time of the recorder, its start included.</param>
    /// <param name="Packets">Packets kept.</param>
    /// <param name="Events">Events kept.</param>
    /// <param name="Lost">Packets and events lost.</param>
    public sealed record Recording(double CpuSeconds, long Packets, long Events, long Lost);

    /// <summary>Goodput of one transfer without a recorder.</summary>
    public static double Plain(string traffic) => Iperf.Run(Near, FarAddress, traffic).BitsPerSecond;

    /// <summary>Runs something with a recorder beside it.</summary>
    /// <param name="place">Where to record.</param>
    /// <param name="transfer">What to run; gives its goodput.</param>
    /// <param name="recording">What the recorder says.</param>
    /// <param name="options">Further options of the recorder.</param>
    public static double Recorded(string place, Func<double> transfer, out Recording recording, params string[] options)
    {
        string file = Path.GetTempFileName();
        using Process recorder = StartRecorder(place, file, options);

        // Its first line says that it records.
        recorder.StandardError.ReadLine();
        double goodput = transfer();
        double cpu = recorder.TotalProcessorTime.TotalSeconds;
        recorder.StandardInput.Close();
        using JsonDocument report = JsonDocument.Parse(recorder.StandardOutput.ReadToEnd());
        recorder.WaitForExit();
        recording = Read(report.RootElement, cpu);
        File.Delete(file);
        return goodput;
    }

    public void Dispose()
    {
        Programs.Stop(_server);
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
    }

    static Process StartRecorder(string place, string file, string[] options)
    {
        ProcessStartInfo start = new(
            "dotnet",
            [
                Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "capture", "--match", "tcp", "port", "5201", "-i", place, "--for", "5min", "--out", file, "--json", "--until-eof",
                .. options,
            ])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
        };
        return Process.Start(start) ?? throw new InvalidOperationException("dotnet did not start.");
    }

    static Recording Read(JsonElement report, double cpu)
    {
        long events = report.TryGetProperty("stackEvents", out JsonElement count) && count.ValueKind == JsonValueKind.Number ? count.GetInt64() : 0;
        long lost = report.TryGetProperty("lostEvents", out JsonElement missing) && missing.ValueKind == JsonValueKind.Number ? missing.GetInt64() : 0;
        return new Recording(cpu, report.GetProperty("packets").GetInt64(), events, lost + report.GetProperty("dropped").GetInt64());
    }
}
