using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;
using TcpDiag.Shim;

namespace TcpDiag.Lab;

/// <summary>
/// One run: fresh namespaces (so that the kernel remembers nothing of an earlier flow), the emulated path between them, a recorder at each end,
/// receiver and sender; then everything is ended in the opposite order and the sender's capture analysed.
/// </summary>
/// <param name="setup">The run.</param>
/// <param name="progress">Called with the path's figures so far, on a thread of the runtime's.</param>
[SupportedOSPlatform("linux")]
sealed class LabIteration(IterationSetup setup, Action<ShimFigures> progress)
{
    // The device at both ends of the path.
    const string Device = "tcpdiag0";

    const int Port = 5001;

    // Several round trips, or a last acknowledgment that was lost and asked for again; what takes longer is aborted with the namespaces.
    static readonly TimeSpan LongestClose = TimeSpan.FromSeconds(3);
    static readonly TimeSpan ClosePoll = TimeSpan.FromMilliseconds(5);

    /// <summary>Runs it.</summary>
    /// <exception cref="LabException">A part of it is refused by the system.</exception>
    /// <exception cref="LabPartException">A part of it failed.</exception>
    public IterationResult Run(CancellationToken interruption)
    {
        using LabLink link = LabLink.Open(setup.Plan.Side.Stack, setup.Flow.IsIpv6);
        using ChildProcess path = StartPath(link);
        path.WaitForOutput(interruption);
        path.Follow(ReportProgress);
        using ChildProcess senderCapture = StartCapture("sender", link.SenderNamespace, link.SenderAddress, setup.Recording.Events is not RecordedEvents.None);
        using ChildProcess? receiverCapture = setup.Recording.AtReceiver
            ? StartCapture("receiver", link.ReceiverNamespace, link.ReceiverAddress, setup.Recording.Events is RecordedEvents.Both)
            : null;
        (string? senderSystem, string? receiverSystem) = setup.WriteSystems(link.SenderNamespace, link.ReceiverNamespace, interruption);
        ChildProcess[] recorders = receiverCapture is null ? [senderCapture] : [senderCapture, receiverCapture];
        Array.ForEach(recorders, recorder => Recorder.Await(recorder, interruption));

        (IReadOnlyList<FlowReport> sender, IReadOnlyList<FlowReport> receiver) = RunFlow(link, [path, .. recorders], interruption);
        AwaitClosed(link, interruption);
        Array.ForEach(recorders, recorder => recorder.End(interruption));
        path.End(interruption);
        senderCapture.WriteLog(setup.FilePath("sender-capture.log"));
        receiverCapture?.WriteLog(setup.FilePath("receiver-capture.log"));
        path.WriteLog(setup.FilePath("path.log"));
        CaptureFigures? received = receiverCapture is null ? null : CaptureFigures.Read(receiverCapture.Output);
        ShimReport emulated = ReadPath(path);
        IterationResult result = setup.Result(sender, receiver, Port, CaptureFigures.Read(senderCapture.Output), interruption);
        return result with
        {
            Fault = emulated.Fault ?? result.Fault ?? received?.FindFault("receiver"),
            ReceiverCapture = received,
            Link = emulated,
            SenderSystem = senderSystem,
            ReceiverSystem = receiverSystem,
        };
    }

    (IReadOnlyList<FlowReport> Sender, IReadOnlyList<FlowReport> Receiver) RunFlow(LabLink link, ChildProcess[] needed, CancellationToken interruption)
    {
        FlowJob job = new()
        {
            Sender = new FlowEnd(link.SenderNamespace, link.SenderAddress, setup.FilePath("sender.tsv")),
            Receiver = new FlowEnd(link.ReceiverNamespace, link.ReceiverAddress, setup.FilePath("receiver.tsv")),
            Port = Port,
            Flow = setup.Flow,
        };
        string file = setup.FilePath("flow.json");
        File.WriteAllText(file, JsonSerializer.Serialize(job, LabJson.Default.FlowJob) + "\n");
        (string listens, string connects) = setup.Flow.IsDownload ? ("sender", "receiver") : ("receiver", "sender");
        using ChildProcess server = new($"The program of the {listens}", setup.Program, "lab", listens, file);
        server.WaitForOutput(interruption);
        using ChildProcess client = new($"The program of the {connects}", setup.Program, "lab", connects, file);
        client.WaitForExit(setup.Limit, interruption, [server, .. needed]);
        server.WaitForExit(IterationSetup.Margin, interruption, needed);
        server.WriteLog(setup.FilePath($"{listens}.log"));
        client.WriteLog(setup.FilePath($"{connects}.log"));
        return setup.Flow.IsDownload ? (ReadFlow(server), ReadFlow(client)) : (ReadFlow(client), ReadFlow(server));
    }

    // The programs have ended, their connections may not have: the last segments cross the path while both recorders still see them.
    static void AwaitClosed(LabLink link, CancellationToken interruption)
    {
        Stopwatch waited = Stopwatch.StartNew();
        while (LeftSockets.Count(link.SenderNamespace) + LeftSockets.Count(link.ReceiverNamespace) > 0
            && waited.Elapsed < LongestClose
            && !interruption.WaitHandle.WaitOne(ClosePoll))
        {
        }
    }

    // Every line but the last has the figures so far.
    void ReportProgress(string line)
    {
        if (line.StartsWith("""{"elapsedNs":""", StringComparison.Ordinal) && JsonSerializer.Deserialize(line, ShimJson.Default.ShimFigures) is { } figures)
        {
            progress(figures);
        }
    }

    ChildProcess StartPath(LabLink link)
    {
        PlannedIteration plan = setup.Plan;
        IEnumerable<string> emulated = plan.Path.SelectMany(option => new[] { $"--{option.Name}", option.Value });
        IEnumerable<string> between = setup.Recording.IsBetween ? ["--between", setup.FilePath("between.pcapng"), "--snap", setup.SnapText] : [];
        return new ChildProcess(
            "The emulated path",
            setup.Program,
            [
                "shim", "serve", "--near", link.SenderNamespace, "--far", link.ReceiverNamespace, "--network", link.Network, "--for", setup.LimitText,
                "--log", setup.FilePath("decisions.tdil"), "--force", "--seed", plan.Seed.ToString(CultureInfo.InvariantCulture), .. emulated, .. between,
            ]);
    }

    // The kernel reports the events of all namespaces; this match leaves out those of the other end.
    ChildProcess StartCapture(string end, string networkNamespace, string address, bool withEvents) =>
        setup.StartCapture(end, $"(src host {address} and out) or (dst host {address} and in)", withEvents, "--interface", $"{networkNamespace}/{Device}");

    static ShimReport ReadPath(ChildProcess path) =>
        JsonSerializer.Deserialize(path.LastOutput, ShimJson.Default.ShimReport) ?? throw new LabPartException("The emulated path left no report.");

    static IReadOnlyList<FlowReport> ReadFlow(ChildProcess end) =>
        JsonSerializer.Deserialize(end.LastOutput, LabJson.Default.IReadOnlyListFlowReport)
        ?? throw new LabPartException("A program of the flow left no report.");
}
