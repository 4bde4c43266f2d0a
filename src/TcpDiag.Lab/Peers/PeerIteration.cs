using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// One run between two machines: a recorder and the sender here; the receiver, a recorder, and the emulated path if there is to be one, at a <see
/// cref="PeerServer"/>.
/// </summary>
sealed class PeerIteration(IterationSetup setup, LabRunSettings settings, PeerEndpoint peer)
{
    // A path is emulated by a process of its own, which has to start.
    static readonly TimeSpan PathLimit = TimeSpan.FromSeconds(30);

    /// <summary>What of a matrix needs stacks and addresses of the lab's own.</summary>
    /// <exception cref="LabException">There is such a setting.</exception>
    public static void Check(LabMatrix matrix)
    {
        foreach (PlannedIteration planned in PlannedIteration.Plan(matrix, 0))
        {
            string? name = planned.Side.Stack is not "adaptive"
                ? "stack"
                : planned.Flow.FirstOrDefault(option => option.Name is "client" or "family" or "lookup")?.Name;
            if (name is not null)
            {
                throw new LabException($"{name}: two machines have stacks and addresses of their own. Use a matrix without it, such as the preset peer.");
            }
        }
    }

    /// <summary>Runs it.</summary>
    /// <exception cref="LabException">The peer refused or has gone, or the system refuses a part.</exception>
    /// <exception cref="LabPartException">A part at this end failed.</exception>
    public IterationResult Run(CancellationToken interruption)
    {
        (string? system, _) = setup.WriteSystems(sender: null, receiver: null, interruption);
        using Socket control = PeerCall.Open(peer);
        using CancellationTokenRegistration ending = interruption.Register(() => control.Shutdown(SocketShutdown.Both));
        PeerLine.Write(control, Request(), LabJson.Default.PeerRequest);
        int port = PeerCall.ReadReply(control, StartLimit, interruption).Port;
        using MiddleCall? middle = OpenMiddle(control, port, interruption);
        using ChildProcess capture = StartCapture(port);
        Recorder.Await(capture, interruption);
        using ChildProcess sender = new("The program of the sender", setup.Program, "lab", "sender", WriteJob(port));
        sender.WaitForExit(setup.Limit, interruption, capture);
        capture.End(interruption);
        PeerReply last = ReadLastReply(control, interruption);
        ShimReport? path = EndMiddle(middle, interruption) ?? last.Path;
        capture.WriteLog(setup.FilePath("sender-capture.log"));
        sender.WriteLog(setup.FilePath("sender.log"));
        IReadOnlyList<FlowReport> sent = JsonSerializer.Deserialize(sender.LastOutput, LabJson.Default.IReadOnlyListFlowReport)
            ?? throw new LabPartException("The sender left no report.");
        IterationResult result = setup.Result(sent, [.. sent.Zip(last.Reports, Align)], port, CaptureFigures.Read(capture.Output), interruption);
        return result with
        {
            Analysis = result.Analysis ?? AnalyzeBetween(port, interruption),
            Link = path,
            ReceiverCapture = last.Capture,
            SenderSystem = system,
            ReceiverSystem = last.System,
            Fault = path?.Fault ?? result.Fault ?? last.Capture?.FindFault("receiver"),
        };
    }

    TimeSpan StartLimit => PeerCall.ReplyLimit + EndFacts.LongestTake + (setup.Plan.Path.Any() ? PathLimit : TimeSpan.Zero)
        + (Recording.AtReceiver ? Recorder.LongestStart : TimeSpan.Zero);

    // A machine has room for one recording; what goes from one of its addresses to another is recorded on the path.
    RecordingSettings Recording => settings.Ends is null ? setup.Recording : setup.Recording with { AtReceiver = false, IsBetween = true };

    // What goes between two addresses of one machine comes to no recorder of its own.
    AnalysisFigures? AnalyzeBetween(int port, CancellationToken interruption) =>
        settings.Ends is not null && File.Exists(setup.FilePath("between.pcapng"))
            ? AnalysisFigures.Read(setup.FilePath("between.pcapng"), port, interruption)
            : null;

    PeerRequest Request() => new(
        peer.Token, [.. setup.Plan.Flow], settings.Scale, settings.Middle is null ? [.. setup.Plan.Path] : [], setup.Plan.Seed, Recording);

    // The receiver has said at which port it awaits the connections: before they begin, the path between is made.
    MiddleCall? OpenMiddle(Socket control, int port, CancellationToken interruption)
    {
        if (settings.Middle is not { } machine || !setup.Plan.Path.Any())
        {
            return null;
        }

        IPAddress sender = ((IPEndPoint)control.LocalEndPoint!).Address;
        PeerRequest request = Request() with
        {
            Token = machine.Token,
            Path = [.. setup.Plan.Path],
            Middle = new PathEnds(sender.ToString(), peer.Address.Address.ToString(), port),
        };
        return MiddleCall.Open(machine, request, PeerCall.ReplyLimit + PathLimit, interruption);
    }

    ShimReport? EndMiddle(MiddleCall? middle, CancellationToken interruption)
    {
        try
        {
            return middle?.End(IterationSetup.Margin, setup.FilePath, interruption).Path;
        }
        catch (LabException gone)
        {
            interruption.ThrowIfCancellationRequested();
            throw new LabPartException(gone.Message);
        }
    }

    // The other machine has another clock: its first read is taken to begin with our first write.
    static FlowReport Align(FlowReport sent, FlowReport received)
    {
        long? shift = sent.FirstNs - received.FirstNs;
        return received with { FirstNs = received.FirstNs + shift, LastNs = received.LastNs + shift };
    }

    // A peer that went away in the middle; whether it is there again the next attempt finds out.
    PeerReply ReadLastReply(Socket control, CancellationToken interruption)
    {
        try
        {
            PeerReply last = PeerCall.ReadReply(control, IterationSetup.Margin + (Recording.AtReceiver ? Recorder.LongestEnd : TimeSpan.Zero), interruption);
            PeerFiles.Receive(control, last.Files ?? [], IterationSetup.Margin, setup.FilePath);
            return last;
        }
        catch (LabException gone)
        {
            interruption.ThrowIfCancellationRequested();
            throw new LabPartException(gone.Message);
        }
    }

    string WriteJob(int port)
    {
        FlowJob job = new()
        {
            Sender = new FlowEnd(string.Empty, settings.Ends?.Sender.ToString() ?? string.Empty, setup.FilePath("sender.tsv")),
            Receiver = new FlowEnd(string.Empty, peer.Address.Address.ToString(), null),
            Port = port,
            Flow = setup.Flow with { IsIpv6 = peer.Address.AddressFamily == AddressFamily.InterNetworkV6 },
        };
        string file = setup.FilePath("flow.json");
        File.WriteAllText(file, JsonSerializer.Serialize(job, LabJson.Default.FlowJob) + "\n");
        return file;
    }

    ChildProcess StartCapture(int port) => setup.StartCapture(
        "sender",
        string.Create(CultureInfo.InvariantCulture, $"tcp host {peer.Address.Address} port {port}"),
        setup.Recording.Events is not RecordedEvents.None);
}
