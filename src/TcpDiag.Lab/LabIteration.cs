using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;
using TcpDiag.Shim;

namespace TcpDiag.Lab;

/// <summary>
/// One run: fresh namespaces (so that the kernel remembers nothing of an earlier flow), the emulated path between them, a recorder at each end, receiver and sender; then
/// everything is ended in the opposite order and the sender's capture analysed.
/// </summary>
[SupportedOSPlatform("linux")]
sealed class LabIteration(LabProgram program, PlannedIteration plan, RecordingSettings recording, double scale, string folder)
{
    // The device at both ends of the path.
    const string Device = "tcpdiag0";

    const int Port = 5001;

    const long NanosecondsPerTick = 100;
    const long NanosecondsPerMillisecond = 1_000_000;

    // Beside the flow itself: starting and ending the processes.
    static readonly TimeSpan Margin = TimeSpan.FromSeconds(60);

    readonly FlowSettings _flow = FlowSettingsReader.Read("flow:", plan.Flow, scale);

    TimeSpan Limit => TimeSpan.FromTicks(_flow.LimitNs / NanosecondsPerTick) + Margin;

    string LimitText => string.Create(CultureInfo.InvariantCulture, $"{(long)Limit.TotalSeconds}s");

    /// <summary>Runs it.</summary>
    /// <exception cref="LabException">A part of it failed.</exception>
    public IterationResult Run(CancellationToken interruption)
    {
        using LabLink link = LabLink.Open(plan.Side.Stack, _flow.IsIpv6);
        using ChildProcess path = StartPath(link);
        path.WaitForOutput(interruption);
        using ChildProcess senderCapture = StartCapture("sender", link.SenderNamespace, link.SenderAddress, recording.Events is not RecordedEvents.None);
        using ChildProcess receiverCapture = StartCapture("receiver", link.ReceiverNamespace, link.ReceiverAddress, recording.Events is RecordedEvents.Both);
        senderCapture.WaitForError(interruption);
        receiverCapture.WaitForError(interruption);

        (IReadOnlyList<FlowReport> sender, IReadOnlyList<FlowReport> receiver) = RunFlow(link, interruption);
        senderCapture.End(interruption);
        receiverCapture.End(interruption);
        path.End(interruption);
        senderCapture.WriteLog(FilePath("sender-capture.log"));
        receiverCapture.WriteLog(FilePath("receiver-capture.log"));
        path.WriteLog(FilePath("path.log"));
        return Result(sender, receiver, CaptureFigures.Read(senderCapture.Output), CaptureFigures.Read(receiverCapture.Output), ReadPath(path), interruption);
    }

    (IReadOnlyList<FlowReport> Sender, IReadOnlyList<FlowReport> Receiver) RunFlow(LabLink link, CancellationToken interruption)
    {
        FlowJob job = new()
        {
            Sender = new FlowEnd(link.SenderNamespace, link.SenderAddress, FilePath("sender.tsv")),
            Receiver = new FlowEnd(link.ReceiverNamespace, link.ReceiverAddress, FilePath("receiver.tsv")),
            Port = Port,
            Flow = _flow,
        };
        string file = FilePath("flow.json");
        File.WriteAllText(file, JsonSerializer.Serialize(job, LabJson.Default.FlowJob) + "\n");
        (string listens, string connects) = _flow.IsDownload ? ("sender", "receiver") : ("receiver", "sender");
        using ChildProcess server = new(program, "lab", listens, file);
        server.WaitForOutput(interruption);
        using ChildProcess client = new(program, "lab", connects, file);
        client.WaitForExit(Limit, interruption);
        server.WaitForExit(Margin, interruption);
        server.WriteLog(FilePath($"{listens}.log"));
        client.WriteLog(FilePath($"{connects}.log"));
        return _flow.IsDownload ? (ReadFlow(server), ReadFlow(client)) : (ReadFlow(client), ReadFlow(server));
    }

    ChildProcess StartPath(LabLink link)
    {
        IEnumerable<string> emulated = plan.Path.SelectMany(option => new[] { $"--{option.Name}", option.Value });
        IEnumerable<string> between = recording.IsBetween ? ["--between", FilePath("between.pcapng"), "--snap", recording.SnapBytes.ToString(CultureInfo.InvariantCulture)] : [];
        return new ChildProcess(
            program,
            [
                "shim", "serve", "--near", link.SenderNamespace, "--far", link.ReceiverNamespace, "--network", link.Network, "--for", LimitText,
                "--log", FilePath("decisions.tdil"), "--seed", plan.Seed.ToString(CultureInfo.InvariantCulture), .. emulated, .. between,
            ]);
    }

    ChildProcess StartCapture(string end, string place, string address, bool withEvents)
    {
        string sample = string.Create(CultureInfo.InvariantCulture, $"{recording.SampleNs / NanosecondsPerMillisecond}ms");
        string[] events = withEvents ? ["--sample", sample] : ["--no-events"];

        // The kernel tells the events of all namespaces; these words leave out those of the other end.
        string match = $"(src host {address} and out) or (dst host {address} and in)";
        return new ChildProcess(
            program,
            [
                "capture", "--match", match, "--interface", $"{place}/{Device}", "--out", FilePath($"{end}.pcapng"), "--for", LimitText,
                "--snap", recording.SnapBytes.ToString(CultureInfo.InvariantCulture), .. events, "--json", "--until-eof",
            ]);
    }

    IterationResult Result(
        IReadOnlyList<FlowReport> sender, IReadOnlyList<FlowReport> receiver, CaptureFigures senderCapture, CaptureFigures receiverCapture, ShimReport path, CancellationToken interruption) => new()
        {
            Cell = plan.Cell.Name,
            Side = plan.Side.Name,
            Iteration = plan.Iteration,
            Seed = plan.Seed,
            Folder = plan.Folder.Replace(Path.DirectorySeparatorChar, '/'),
            Fault = path.Fault ?? senderCapture.FindFault("sender") ?? receiverCapture.FindFault("receiver"),
            Sender = FlowReport.Sum(sender),
            Receiver = FlowReport.Sum(receiver),
            Flows = sender.Count == 1 ? [] : [.. sender.Zip(receiver, (one, other) => new FlowPair(one.ClientPort, one, other))],
            Analysis = AnalysisFigures.Read(FilePath("sender.pcapng"), interruption),
            SenderCapture = senderCapture,
            ReceiverCapture = receiverCapture,
            Link = path,
        };

    static ShimReport ReadPath(ChildProcess path) =>
        JsonSerializer.Deserialize(path.LastOutput, ShimJson.Default.ShimReport) ?? throw new LabException("The emulated path left no report.");

    static IReadOnlyList<FlowReport> ReadFlow(ChildProcess end) =>
        JsonSerializer.Deserialize(end.LastOutput, LabJson.Default.IReadOnlyListFlowReport) ?? throw new LabException("A program of the flow left no report.");

    string FilePath(string name) => Path.Combine(folder, name);
}
