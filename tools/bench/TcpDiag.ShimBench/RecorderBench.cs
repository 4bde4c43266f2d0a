using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Platform.Linux;

namespace TcpDiag.ShimBench;

/// <summary>A bulk transfer over a cable of the kernel, with a recorder at its sending end and without, in turn.</summary>
[SupportedOSPlatform("linux")]
sealed class RecorderBench : IDisposable
{
    const string Near = "tdrn";
    const string Far = "tdrf";
    const string FarAddress = "10.80.0.2";
    const int SnapBytes = 120;
    const int BufferMegabytes = 32;

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
    public sealed record Recording(double CpuSeconds, long Packets, long Events, long Lost)
    {
        /// <summary>Both together.</summary>
        public static Recording operator +(Recording one, Recording other) =>
            new(one.CpuSeconds + other.CpuSeconds, one.Packets + other.Packets, one.Events + other.Events, one.Lost + other.Lost);
    }

    /// <summary>One transfer between the two ends.</summary>
    public static Iperf.Result Transfer(string traffic) => Iperf.Run(Near, FarAddress, traffic);

    /// <summary>Runs something with a recorder beside it.</summary>
    /// <param name="place">Where to record.</param>
    /// <param name="protocol">tcp or udp.</param>
    /// <param name="transfer">What to run.</param>
    /// <param name="options">Further options of the recorder.</param>
    /// <returns>What the recorder says.</returns>
    public static Recording Record(string place, string protocol, Action transfer, params string[] options)
    {
        string file = Path.GetTempFileName();
        using Process recorder = StartRecorder(place, protocol, file, options);

        // Its first line says that it records.
        recorder.StandardError.ReadLine();
        transfer();
        double cpu = recorder.TotalProcessorTime.TotalSeconds;
        recorder.StandardInput.Close();
        using JsonDocument report = JsonDocument.Parse(recorder.StandardOutput.ReadToEnd());
        recorder.WaitForExit();
        File.Delete(file);
        return Read(report.RootElement, cpu);
    }

    /// <summary>Runs something with dumpcap at the sending end, its buffer as large as ours.</summary>
    /// <param name="seconds">How long it listens.</param>
    /// <param name="transfer">What to run, ends within that time.</param>
    /// <returns>What dumpcap says; its processor time with that of its start.</returns>
    /// <exception cref="InvalidOperationException">It did not say what it recorded.</exception>
    public static Recording RecordWithDumpcap(int seconds, Action transfer)
    {
        string file = Path.GetTempFileName();
        string arguments = FormattableString.Invariant(
            $"netns exec {Near} dumpcap -q -i v0 -s {SnapBytes} -B {BufferMegabytes} -a duration:{seconds} -w {file} -f udp");
        using Process dumpcap = Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardError = true, UseShellExecute = false })
            ?? throw new InvalidOperationException("dumpcap did not start.");
        string line = string.Empty;
        while (!line.StartsWith("File:", StringComparison.Ordinal))
        {
            line = dumpcap.StandardError.ReadLine() ?? throw new InvalidOperationException("dumpcap ended before it recorded.");
        }

        transfer();
        double cpu = dumpcap.TotalProcessorTime.TotalSeconds;
        long[] counts = ReadCounts(dumpcap.StandardError.ReadToEnd());
        dumpcap.WaitForExit();
        File.Delete(file);
        return new Recording(cpu, counts[0], 0, counts[1]);
    }

    public void Dispose()
    {
        Programs.Stop(_server);
        NetworkNamespace.Delete(Near);
        NetworkNamespace.Delete(Far);
    }

    // Packets received/dropped on interface 'v0': 123/4 (pcap:4/…
    static long[] ReadCounts(string told)
    {
        const string Before = "interface 'v0': ";
        int start = told.IndexOf(Before, StringComparison.Ordinal);
        return start >= 0
            ? Array.ConvertAll(told[(start + Before.Length)..].Split(' ')[0].Split('/'), number => long.Parse(number, CultureInfo.InvariantCulture))
            : throw new InvalidOperationException("dumpcap did not say what it recorded.");
    }

    static Process StartRecorder(string place, string protocol, string file, string[] options)
    {
        ProcessStartInfo start = new(
            "dotnet",
            [
                Path.Combine(AppContext.BaseDirectory, "tcpdiag.dll"), "capture", "--match", protocol, "port", "5201", "-i", place, "--for", "5min", "--out",
                    file, "--json", "--until-eof",
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
