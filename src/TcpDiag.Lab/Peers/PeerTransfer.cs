using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab.Peers;

/// <summary>What became of a transfer.</summary>
/// <param name="Bytes">Bytes that the receiving program read.</param>
/// <param name="Time">How long it took, from the first write to the last read.</param>
/// <param name="End">How it ended, as the program at this end saw it.</param>
/// <param name="Recording">What the other machine recorded; null where it did not.</param>
public sealed record TransferOutcome(long Bytes, TimeSpan Time, FlowOutcome End, string? Recording);

/// <summary>A transfer between this machine and one that runs <c>lab serve</c>, over the path there is, with the settings of both systems.</summary>
/// <param name="peer">The other machine.</param>
public sealed class PeerTransfer(PeerEndpoint peer)
{
    const int NanosPerTick = 100;

    /// <summary>How much is sent.</summary>
    public required long Bytes { get; init; }

    /// <summary>When both ends give up.</summary>
    public required TimeSpan Limit { get; init; }

    /// <summary>Makes one.</summary>
    /// <param name="isDownload">Whether it comes here; else it goes there.</param>
    /// <param name="recordedAs">What the other machine is to record goes to a file of this name, with the extension it has there; null for no
    /// recording.</param>
    /// <param name="interruption">Ends it.</param>
    /// <exception cref="LabException">The other machine refuses, is not there or went away.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public TransferOutcome Run(bool isDownload, string? recordedAs, CancellationToken interruption)
    {
        interruption.ThrowIfCancellationRequested();
        using Socket control = PeerCall.Open(peer);
        using CancellationTokenRegistration ending = interruption.Register(() => FlowSocket.ShutDown(control));
        PeerLine.Write(control, Request(isDownload, recordedAs is not null), LabJson.Default.PeerRequest);
        TimeSpan start = PeerCall.ReplyLimit + (recordedAs is null ? TimeSpan.Zero : Recorder.LongestStart);
        int port = PeerCall.ReadReply(control, start, interruption).Port;
        long begun = Stopwatch.GetTimestamp();
        FlowReport here = FlowReport.Sum(Transfer(port, isDownload, interruption));
        interruption.ThrowIfCancellationRequested();
        TimeSpan time = Stopwatch.GetElapsedTime(begun);
        PeerReply last = PeerCall.ReadReply(control, PeerCall.ReplyLimit + (recordedAs is null ? TimeSpan.Zero : Recorder.LongestEnd), interruption);
        FlowReport received = isDownload ? here : FlowReport.Sum(last.Reports);
        return new(
            received.Bytes,
            time,
            here.Outcome,
            Receive(control, last.Files ?? [], recordedAs));
    }

    PeerRequest Request(bool isDownload, bool isRecorded) => new(
        peer.Token,
        [
            new("bytes", FormattableString.Invariant($"{Bytes}b")),
            new("limit", FormattableString.Invariant($"{(long)Limit.TotalMilliseconds}ms")),
            new("client", isDownload ? "receiver" : "sender"),
            new("congestion", FlowSettings.SystemCongestion),
        ],
        Scale: 1,
        Path: [],
        Seed: 0,
        isRecorded ? new RecordingSettings { Events = RecordedEvents.Both } : null);

    IReadOnlyList<FlowReport> Transfer(int port, bool isDownload, CancellationToken interruption)
    {
        string address = peer.Address.Address.ToString();
        FlowJob job = new()
        {
            Sender = new FlowEnd(string.Empty, isDownload ? address : string.Empty, null),
            Receiver = new FlowEnd(string.Empty, isDownload ? string.Empty : address, null),
            Port = port,
            Flow = new FlowSettings
            {
                Bytes = Bytes,
                LimitNs = Limit.Ticks * NanosPerTick,
                IsDownload = isDownload,
                Congestion = FlowSettings.SystemCongestion,
                IsIpv6 = peer.Address.AddressFamily == AddressFamily.InterNetworkV6,
            },
        };
        try
        {
            return FlowProgram.Run(job, isSender: !isDownload, _ => { }, interruption: interruption);
        }
        catch (SocketException failed)
        {
            throw new LabException($"{peer.Address.Address}, port {port}: {failed.Message}.");
        }
    }

    // The trace alone is of use; all else that comes is read, and goes, as does a part of a trace.
    static string? Receive(Socket control, IReadOnlyList<PeerFile> files, string? recordedAs)
    {
        if (recordedAs is null)
        {
            return null;
        }

        string PathOf(string name) => recordedAs + (IsTrace(name) ? Path.GetExtension(name) : "." + name);
        string? whole = null;
        try
        {
            PeerFiles.Receive(control, files, IterationSetup.Margin, PathOf);
            whole = files.Where(file => IsTrace(file.Name)).Select(file => PathOf(file.Name)).FirstOrDefault();
            return whole;
        }
        finally
        {
            foreach (string other in files.Select(file => PathOf(file.Name)).Where(path => !string.Equals(path, whole, StringComparison.Ordinal)))
            {
                File.Delete(other);
            }
        }
    }

    static bool IsTrace(string name) => Path.GetFileNameWithoutExtension(name) is "receiver";
}

/// <summary>The calling end of a control connection.</summary>
static class PeerCall
{
    /// <summary>How long a peer may take to answer, beside what it has to start.</summary>
    public static readonly TimeSpan ReplyLimit = TimeSpan.FromSeconds(10);

    /// <summary>Connects.</summary>
    /// <exception cref="LabException">Nobody listens there.</exception>
    public static Socket Open(PeerEndpoint peer)
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
            throw new LabException($"{peer.Address}: {new Win32Exception(refused.NativeErrorCode).Message}. Is tcpdiag lab serve running there?");
        }
    }

    /// <summary>Reads an answer.</summary>
    /// <exception cref="LabException">None came in time, or it is a refusal.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted meanwhile.</exception>
    public static PeerReply ReadReply(Socket control, TimeSpan limit, CancellationToken interruption)
    {
        PeerReply reply;
        try
        {
            do
            {
                reply = PeerLine.Read(control, limit, LabJson.Default.PeerReply);
            }
            while (reply.IsWaiting);
        }
        catch (LabException)
        {
            interruption.ThrowIfCancellationRequested();
            throw;
        }

        return reply.Refusal is null ? reply : throw new LabException($"The peer refuses: {reply.Refusal}");
    }
}
