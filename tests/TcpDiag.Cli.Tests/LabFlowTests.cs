using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>What becomes of a flow on a path that marks packets, and of one that has too little time.</summary>
public sealed class LabFlowTests : IDisposable
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _out = Directory.CreateTempSubdirectory("tcpdiag-lab").FullName;

    [RootFact]
    public void Run_Limit_IsToldByBothProgramsAndTheText()
    {
        string matrix = Write("path: {rate: 1mbit, rtt: 10ms, limit: 5s}\nflow: {bytes: 10mb, limit: 3s}\nsides: {only: {}}\n");
        Run("lab", "run", matrix, "--out", _out);
        JsonElement result = Result();
        JsonElement sender = result.GetProperty("sender");
        JsonElement receiver = result.GetProperty("receiver");

        Assert.Equal(("time-limit", "closed"), (sender.GetProperty("outcome").GetString(), receiver.GetProperty("outcome").GetString()));
        Assert.InRange(receiver.GetProperty("bytes").GetInt64(), 1, sender.GetProperty("bytes").GetInt64());
        Assert.Contains("1 at the limit", _output.ToString(), StringComparison.Ordinal);

        // What the log of its writes adds up to, the unfinished last one included.
        IEnumerable<string> writes = File.ReadLines(Path.Combine(_out, "001", "only", "001", "sender.tsv")).Skip(1);
        Assert.Equal(sender.GetProperty("bytes").GetInt64(), writes.Sum(line => long.Parse(line.Split('\t')[1],
            System.Globalization.CultureInfo.InvariantCulture)));
    }

    // The buffer is larger than what the flow has: without marks nothing would slow it down.
    [RootFact("tshark")]
    public void Run_EcnStack_IsMarkedAndTheSenderReacts()
    {
        string matrix = Write("path: {rate: 20mbit, rtt: 20ms, buffer: 4mb, ecn: 30kb, limit: 1s}\nflow: {bytes: 2mb}\nsides: {only: {stack: ecn}}\n");
        Run("lab", "run", matrix, "--out", _out, "--retries", "0");

        Assert.True(CountMarks() > 0);
        Assert.True(Count("tcp.flags.syn==0 && tcp.flags.ece==1 && tcp.len==0") > 0);
        Assert.True(Count("tcp.flags.cwr==1 && tcp.len>0") > 0);
        Assert.Equal(0, Result().GetProperty("link").GetProperty("figures").GetProperty("dropped").GetInt64());
    }

    public void Dispose() => Directory.Delete(_out, recursive: true);

    int CountMarks()
    {
        using FileStream log = File.OpenRead(Path.Combine(_out, "001", "only", "001", "decisions.tdil"));
        DecisionLogReader reader = new(log);
        int marks = 0;
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            marks += decision.Action == ImpairmentAction.MarkEcn ? 1 : 0;
        }

        return marks;
    }

    int Count(string filter)
    {
        string file = Path.Combine(_out, "001", "only", "001", "sender.pcapng");
        return ExternalProgram.Run("tshark", "-r", file, "-Y", filter, "-T", "fields", "-e", "frame.number").Output.Split('\n',
            StringSplitOptions.RemoveEmptyEntries).Length;
    }

    JsonElement Result() => JsonDocument.Parse(File.ReadAllText(Path.Combine(_out, "run.json"))).RootElement.GetProperty("results").EnumerateArray().Single();

    string Write(string matrix)
    {
        string path = Path.Combine(_out, "matrix.yaml");
        File.WriteAllText(path, matrix);
        return path;
    }

    void Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
