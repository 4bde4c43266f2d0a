using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab.Peers;

/// <summary>One run between two machines: a recorder and the sender here, the receiver, and the emulated path if there is to be one, at a <see cref="PeerServer"/>.</summary>
[SupportedOSPlatform("linux")]
sealed class PeerIteration(IterationSetup setup, double scale, PeerEndpoint peer)
{
    static readonly TimeSpan ReplyLimit = TimeSpan.FromSeconds(10);

    // A path is emulated by a process of its own, which has to start.
    static readonly TimeSpan PathLimit = TimeSpan.FromSeconds(30);

    /// <summary>What of a matrix needs stacks and addresses of the lab's own.</summary>
    /// <param name="matrix">The matrix.</param>
    /// <exception cref="LabException">There is such a setting.</exception>
    public static void Check(LabMatrix matrix)
    {
        foreach (PlannedIteration planned in PlannedIteration.Plan(matrix, 0))
        {
            string? name = planned.Side.Stack is not "adaptive" ? "stack" : planned.Flow.FirstOrDefault(option => option.Name is "client" or "family" or "lookup")?.Name;
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
        using Socket control = Call();
        PeerLine.Write(control, new PeerRequest(peer.Token, [.. setup.Plan.Flow], scale, [.. setup.Plan.Path], setup.Plan.Seed), LabJson.Default.PeerRequest);
        int port = ReadReply(control, setup.Plan.Path.Any() ? PathLimit : ReplyLimit).Port;
        using ChildProcess capture = StartCapture(port);
        capture.WaitForError(interruption);
        using ChildProcess sender = new("The program of the sender", setup.Program, "lab", "sender", WriteJob(port));
        sender.WaitForExit(setup.Limit, interruption, capture);
        PeerReply last = ReadLastReply(control);
        capture.End(interruption);
        capture.WriteLog(setup.FilePath("sender-capture.log"));
        sender.WriteLog(setup.FilePath("sender.log"));
        IReadOnlyList<FlowReport> sent = JsonSerializer.Deserialize(sender.LastOutput, LabJson.Default.IReadOnlyListFlowReport) ?? throw new LabPartException("The sender left no report.");
        IterationResult result = setup.Result(sent, [.. sent.Zip(last.Reports, Align)], CaptureFigures.Read(capture.Output), interruption);
        return result with { Link = last.Path, Fault = last.Path?.Fault ?? result.Fault };
    }

    // The other machine has another clock: its first read is taken to begin with our first write.
    static FlowReport Align(FlowReport sent, FlowReport received)
    {
        long? shift = sent.FirstNs - received.FirstNs;
        return received with { FirstNs = received.FirstNs + shift, LastNs = received.LastNs + shift };
    }

    Socket Call()
    {
        Socket control = new(peer.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            control.Connect(peer.Address);
            return control;
        }
        catch (SocketException refused)
        {
            control.Dispose();
            throw new LabException($"{peer.Address}: {refused.Message}. Is tcpdiag lab serve running there?");
        }
    }

    static PeerReply ReadReply(Socket control, TimeSpan limit)
    {
        PeerReply reply = PeerLine.Read(control, limit, LabJson.Default.PeerReply);
        return reply.Refusal is null ? reply : throw new LabException($"The peer refuses: {reply.Refusal}");
    }

    // A peer that went away in the middle; whether it is there again the next attempt finds out.
    static PeerReply ReadLastReply(Socket control)
    {
        try
        {
            return ReadReply(control, IterationSetup.Margin);
        }
        catch (LabException gone)
        {
            throw new LabPartException(gone.Message);
        }
    }

    string WriteJob(int port)
    {
        FlowJob job = new()
        {
            Sender = new FlowEnd(string.Empty, string.Empty, setup.FilePath("sender.tsv")),
            Receiver = new FlowEnd(string.Empty, peer.Address.Address.ToString(), null),
            Port = port,
            Flow = setup.Flow with { IsIpv6 = peer.Address.AddressFamily == AddressFamily.InterNetworkV6 },
        };
        string file = setup.FilePath("flow.json");
        File.WriteAllText(file, JsonSerializer.Serialize(job, LabJson.Default.FlowJob) + "\n");
        return file;
    }

    ChildProcess StartCapture(int port) => setup.StartCapture(
        "sender", string.Create(CultureInfo.InvariantCulture, $"tcp host {peer.Address.Address} port {port}"), setup.Recording.Events is not RecordedEvents.None);
}
