using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class InfoCommandTests : IDisposable
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-info-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [SharedTheory]
    [InlineData("AMSITrace.etl")]
    [InlineData("SelfDescribingSingleEvent.etl")]
    [InlineData("gcevents.etl.zip")]
    [InlineData("lxcore_kernel.etl")]
    [InlineData("net.4.5.2.x64.etl.zip")]
    [InlineData("primitive-types.etl.zip")]
    public void Info_RealTrace_CountsWhatTheOracleCounts(string name)
    {
        JsonElement file = InfoJson(ExitCode.Done, SharedFolder.PathOf("traces", "etl", name));

        Assert.Equal(Oracle(name), Counts(file));
        Assert.Equal(Oracle(name).Sum(row => row.Count), file.GetProperty("records").GetInt64());
        Assert.True(file.GetProperty("complete").GetBoolean());
    }

    [SharedTheory]
    [InlineData("sample-22621-netsh", ".etl", 1)]
    [InlineData("sample-19041-netsh-rundown", ".etl.zip", 1)]
    [InlineData("sample-26100-pktmon", ".etl", 5)]
    public void Info_WindowsTrace_AgreesWithItsTruth(string name, string extension, int interfaces)
    {
        string folder = SharedFolder.PathOf("traces", "windows", name);
        JsonElement truth = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(folder, "truth.json"))).RootElement;

        JsonElement file = InfoJson(ExitCode.Done, Path.Combine(folder, name + extension));

        Assert.Equal("etl", file.GetProperty("format").GetString());
        Assert.Equal(Number(truth, "records"), Number(file, "records"));
        Assert.Equal(Number(truth, "build"), Number(file, "windowsBuild"));
        Assert.Equal(Number(truth, "pointerSize"), Number(file, "pointerSize"));
        Assert.Equal(Number(truth, "lostEvents"), Number(file, "lostEvents"));
        Assert.Equal(Number(truth, "lostBuffers"), Number(file, "lostBuffers"));
        Assert.Equal(Number(truth.GetProperty("packets"), "count"), Number(file, "packets"));
        Assert.Equal(interfaces, file.GetProperty("interfaces").GetArrayLength());
        Assert.Equal(Number(truth.GetProperty("packets"), "drops"), file.GetProperty("interfaces").EnumerateArray().Sum(DroppedOf));
        Assert.Equal(ExpectedEvents(truth), FoundEvents(file));
        Assert.Empty(file.GetProperty("advice").EnumerateArray());
    }

    [SharedFact]
    public void Info_DamagedTrace_ShowsWhatWasKept()
    {
        byte[] whole = File.ReadAllBytes(SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl"));
        string cut = Path.Combine(_folder, "cut.etl");
        File.WriteAllBytes(cut, whole.AsSpan(0, (5 * 65536) + 1000));

        JsonElement file = InfoJson(ExitCode.Damaged, cut);

        Assert.False(file.GetProperty("complete").GetBoolean());
        Assert.NotEmpty(file.GetProperty("problems").EnumerateArray());
        Assert.InRange(Number(file, "records"), 500, 3498);
    }

    [SharedFact]
    public void Info_TraceWithoutPacketsAndTcpEvents_IsToldWhatToAdd()
    {
        Assert.Equal(ExitCode.Done, Run("info", SharedFolder.PathOf("traces", "etl", "AMSITrace.etl")));

        Assert.Contains("Neither packets nor events of the TCP stack", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("netsh trace start capture=yes provider=Microsoft-Windows-TCPIP", Unwrapped(), StringComparison.Ordinal);
        Assert.Contains("pktmon start --capture --trace -p Microsoft-Windows-TCPIP", Unwrapped(), StringComparison.Ordinal);
    }

    [SharedFact]
    public void Info_Text_FitsEightyColumns()
    {
        foreach (string trace in (string[])["windows/sample-26100-pktmon/sample-26100-pktmon.etl", "windows/sample-22621-netsh/sample-22621-netsh.etl",
            "etl/lxcore_kernel.etl", "pcap/http_espn.pcapng"])
        {
            Run("info", SharedFolder.PathOf("traces", trace));
        }

        Assert.All(_output.ToString().Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains("Contoso.Uploader", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("reordering window reo_wnd (1577)", _output.ToString(), StringComparison.Ordinal);
    }

    [SharedTheory]
    [InlineData("http_espn.pcapng", "pcapng")]
    [InlineData("dns.pcap", "pcapng")]
    public void Info_PacketFile_CountsPackets(string name, string format)
    {
        JsonElement file = InfoJson(ExitCode.Done, SharedFolder.PathOf("traces", "pcap", name));

        Assert.Equal(format, file.GetProperty("format").GetString());
        Assert.Equal(Number(file, "packets"), file.GetProperty("interfaces").EnumerateArray().Sum(found => Number(found, "packets")));
        Assert.Empty(file.GetProperty("providers").EnumerateArray());
        Assert.Equal(JsonValueKind.Null, file.GetProperty("windowsBuild").ValueKind);
    }

    [Fact]
    public void Info_NoTrace_FailsInOneLine()
    {
        string path = Path.Combine(_folder, "noise.etl");
        File.WriteAllBytes(path, [.. Enumerable.Repeat((byte)7, 200)]);

        Assert.Equal(ExitCode.Failed, Run("info", path, "--json"));
        Assert.Single(_error.ToString().TrimEnd().Split('\n'));
        Assert.Contains("noise.etl@0x0: expected an .etl, .pcapng or .pcap trace", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("files").EnumerateArray());
    }

    [Fact]
    public void Info_MissingFile_FailsAndNamesIt()
    {
        Assert.Equal(ExitCode.Failed, Run("info", Path.Combine(_folder, "absent.etl")));
        Assert.Contains("absent.etl", _error.ToString(), StringComparison.Ordinal);
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);

    JsonElement InfoJson(int exitCode, string path)
    {
        Assert.Equal(exitCode, Run("info", path, "--json"));
        JsonElement document = JsonDocument.Parse(_output.ToString()).RootElement;
        Assert.Equal("tcpdiag/info/1", document.GetProperty("schema").GetString());
        return Assert.Single(document.GetProperty("files").EnumerateArray());
    }

    string Unwrapped() => string.Join(' ', _output.ToString().Split('\n').Select(line => line.Trim()));

    static long DroppedOf(JsonElement found) => found.GetProperty("dropped") is { ValueKind: JsonValueKind.Number } dropped ? dropped.GetInt64() : 0;

    static long Number(JsonElement element, string name) => element.GetProperty(name).GetInt64();

    static List<(string Provider, int Id, int Version, long Count)> Oracle(string file) =>
        [.. File.ReadLines(SharedFolder.PathOf("traces", "etl", "oracle.tsv")).Select(line => line.Split('\t'))
            .Where(row => string.Equals(row[0], file, StringComparison.Ordinal))
            .Select(row => (row[1], Parse(row[2]), Parse(row[3]), long.Parse(row[4], CultureInfo.InvariantCulture)))
            .OrderBy(row => row)];

    // Oracle rows hold an id or an opcode in one column; a provider may use both at once only with different numbers.
    static List<(string Provider, int Id, int Version, long Count)> Counts(JsonElement file) =>
        [.. file.GetProperty("providers").EnumerateArray()
            .SelectMany(provider => provider.GetProperty("events").EnumerateArray().Select(kind => (
                Provider: provider.GetProperty("guid").GetString()!,
                Id: (kind.GetProperty("id") is { ValueKind: JsonValueKind.Number } id ? id : kind.GetProperty("opcode")).GetInt32(),
                Version: kind.GetProperty("version").GetInt32(),
                Count: Number(kind, "count"))))
            .GroupBy(row => (row.Provider, row.Id, row.Version), row => row.Count)
            .Select(group => (group.Key.Provider, group.Key.Id, group.Key.Version, group.Sum()))
            .OrderBy(row => row)];

    static List<string> ExpectedEvents(JsonElement truth) =>
        [.. truth.GetProperty("providers").EnumerateObject().SelectMany(provider => Rows(provider.Name, provider.Value))
            .Concat(truth.GetProperty("headerRecords").EnumerateArray().Select(row =>
                string.Create(CultureInfo.InvariantCulture, $"EventTrace op {row.GetProperty("opcode").GetInt32()}: {Number(row, "count")}")))
            .Order(StringComparer.Ordinal)];

    static List<string> FoundEvents(JsonElement file) =>
        [.. file.GetProperty("providers").EnumerateArray().SelectMany(provider => provider.GetProperty("name").GetString() is "EventTrace"
                ? provider.GetProperty("events").EnumerateArray().Select(row =>
                    string.Create(CultureInfo.InvariantCulture, $"EventTrace op {row.GetProperty("opcode").GetInt32()}: {Number(row, "count")}"))
                : Rows(TruthName(provider), provider))
            .Order(StringComparer.Ordinal)];

    static string TruthName(JsonElement provider) =>
        provider.GetProperty("name").GetString() is { } name && name.StartsWith("Microsoft-", StringComparison.Ordinal) ? name
            : provider.GetProperty("guid").GetString()!;

    static IEnumerable<string> Rows(string provider, JsonElement counts) =>
        counts.GetProperty("events").EnumerateArray().Select(row =>
            string.Create(CultureInfo.InvariantCulture,
                $"{provider} {row.GetProperty("id").GetInt32()} v{row.GetProperty("version").GetInt32()}: {Number(row, "count")}"));

    static int Parse(string number) => int.Parse(number, CultureInfo.InvariantCulture);
}
