using System;
using System.Collections.Generic;
using System.IO;
using System.Text.Json;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Losses;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class LocateCommandTests : IDisposable
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-locate").FullName;

    [Fact]
    public void Locate_TwoPoints_NamesTheSegment()
    {
        Assert.Equal(ExitCode.Done, Run("locate", Captures()));
        string text = _output.ToString();
        Assert.Contains("client - B - A - server: 1 connection", text, StringComparison.Ordinal);
        Assert.Contains("Loss between B and A: 3 packets of the client's data", text, StringComparison.Ordinal);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Locate_Json_HoldsToItsSchema()
    {
        Assert.Equal(ExitCode.Done, Run("locate", [.. Captures(), "--json"]));
        Assert.Empty(JsonSchema.Read("locate.json").Check(_output.ToString()));
        JsonElement path = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("paths")[0];
        Assert.Equal(3, path.GetProperty("directions")[0].GetProperty("steps")[0].GetProperty("data").GetProperty("lost").GetInt32());
    }

    [Fact]
    public void Locate_OnePoint_SaysThatThereIsNothingToCompare()
    {
        Assert.Equal(ExitCode.NoResult, Run("locate", Captures()[0]));
        Assert.Contains("Nothing to compare", _output.ToString(), StringComparison.Ordinal);
    }

    // Read as one, the RTT would be that of the nearer point, and every packet would count twice.
    [Fact]
    public void Analyze_TwoPoints_ReadsTheSenders()
    {
        string[] captures = Captures();
        Assert.Equal(ExitCode.Done, Run("analyze", captures[1], "--json"));
        string alone = Directions(_output.ToString());
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("analyze", [.. captures, "--json"]));
        Assert.Equal(alone, Directions(_output.ToString()));
        Assert.Contains("from another point: the analysis reads the latter, where the senders of data are.", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Analyze_TwoPoints_LocatesByItself()
    {
        Assert.Equal(ExitCode.Done, Run("analyze", Captures()));
        Assert.Contains("Where on the path, from all captures", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("Loss between B and A: 3 packets of the client's data", _output.ToString(), StringComparison.Ordinal);
    }

    // What locate would say is in document and page as well.
    [Fact]
    public void Analyze_TwoPoints_JsonAndPageHaveTheLocation()
    {
        string[] captures = Captures();
        string page = Path.Combine(_folder, "report.html");
        Assert.Equal(ExitCode.Done, Run("analyze", [.. captures, "--json", "--html", page]));
        Assert.Empty(JsonSchema.Read("analysis.json").Check(_output.ToString()));
        JsonElement location = JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("location");
        Assert.Empty(JsonSchema.Read("locate.json").Check(location.GetRawText()));
        Assert.Equal(1, location.GetProperty("sharedConnections").GetInt32());
        string markup = File.ReadAllText(page);
        Assert.Contains("<h2 id=\"location-heading\">Where on the path, from all captures</h2>", markup, StringComparison.Ordinal);
        Assert.Contains("<p>Loss between B and A: 3 packets of the client", markup, StringComparison.Ordinal);

        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("analyze", captures[0], "--json"));
        Assert.Equal(JsonValueKind.Null, JsonDocument.Parse(_output.ToString()).RootElement.GetProperty("location").ValueKind);
    }

    // A connection that only the left-out capture has would be lost.
    [Fact]
    public void Analyze_OtherConnectionLater_IsNotLeftOut()
    {
        string[] captures = Captures();
        string both = Path.Combine(_folder, "both.pcapng");
        string alone = Path.Combine(_folder, "alone.pcapng");
        var other = new SimulatedFlow { Bytes = 60_000, Start = new(1_700_000_100_000_000_000) };
        using (var capture = new PcapngCapture(File.Create(alone), SegmentPoint.Sender, other))
        {
            new Simulation(other, new EmulatorSettings { Seed = 9 }, [capture]).Run();
        }

        using (FileStream joined = File.Create(both))
        {
            joined.Write(File.ReadAllBytes(captures[0])); // sections follow each other in pcapng
            joined.Write(File.ReadAllBytes(alone));
        }

        Assert.Equal(ExitCode.Done, Run("analyze", both, captures[1], "--json"));
        Assert.Equal(string.Empty, _error.ToString());
    }

    [Fact]
    public void Locate_Html_IsOnePageWithoutScript()
    {
        string page = Path.Combine(_folder, "page.html");
        Assert.Equal(ExitCode.Done, Run("locate", [.. Captures(), "--html", page]));
        string html = File.ReadAllText(page);
        Assert.Contains("Loss between B and A: 3 packets of the client", html, StringComparison.Ordinal);
        Assert.Contains("<svg", html, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", html, StringComparison.Ordinal);
    }

    [Fact]
    public void Locate_HostileName_StaysText()
    {
        string[] captures = Captures();
        string hostile = Path.Combine(_folder, "<img src=x onerror=alert(1)>\u001b[31m.pcapng");
        File.Move(captures[0], hostile);
        string page = Path.Combine(_folder, "page.html");
        Assert.Equal(ExitCode.Done, Run("locate", hostile, captures[1], "--html", page));
        Assert.DoesNotContain("<img", File.ReadAllText(page), StringComparison.Ordinal);
        Assert.DoesNotContain('\u001b', _output.ToString());
        Assert.DoesNotContain('\u001b', File.ReadAllText(page));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    static string Directions(string json) => JsonDocument.Parse(json).RootElement.GetProperty("connections").GetRawText();

    int Run(string command, params string[] args) => new CommandLine(_output, _error).Run([command, .. args]);

    // The receiver's first: three packets of data are lost on the way.
    string[] Captures()
    {
        string[] files = [Path.Combine(_folder, "receiver.pcapng"), Path.Combine(_folder, "sender.pcapng")];
        var flow = new SimulatedFlow { Bytes = 500_000 };
        var lossy = new LinkSettings { DelayNanos = 20_000_000, Losses = [new ListedLoss([new(20, 21), new(90, 90)])] };
        var path = new EmulatorSettings { Out = new(lossy), In = new(new LinkSettings { DelayNanos = 20_000_000 }) };
        List<PcapngCapture> captures =
        [
            new PcapngCapture(File.Create(files[0]), SegmentPoint.Receiver, flow), new PcapngCapture(File.Create(files[1]), SegmentPoint.Sender, flow),
        ];
        new Simulation(flow, path, captures).Run();
        captures.ForEach(capture => capture.Dispose());
        return files;
    }
}
