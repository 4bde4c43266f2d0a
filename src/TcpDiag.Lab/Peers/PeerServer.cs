using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;

namespace TcpDiag.Lab.Peers;

/// <summary>
/// The receiving machine of an experiment between two: awaits control connections, one run at a time, and receives what a caller who knows the secret
/// announces, or sends what it asks for, within its caps.
/// </summary>
public sealed class PeerServer : IDisposable
{
    const int MaxBufferBytes = 64 << 20;

    // A caller that does not read for so long has gone, or holds this up for others.
    const int SendMilliseconds = 30_000;

    const long NanosPerTick = 100;

    static readonly TimeSpan RequestLimit = TimeSpan.FromSeconds(5);

    // Beside the flow itself: until the sender has started its recorder.
    static readonly TimeSpan PathMargin = TimeSpan.FromSeconds(60);

    const int PollMicroseconds = 20_000;

    readonly Socket _listener;
    readonly byte[] _token;
    readonly PeerCaps _caps;
    readonly PeerStart? _start;
    IdleCable? _cable; // of a machine in the middle, between its runs

    /// <summary>Begins to listen.</summary>
    /// <param name="address">Where.</param>
    /// <param name="token">The secret a caller must send.</param>
    /// <param name="caps">What a run may cost.</param>
    /// <param name="start">How a path is emulated and packets are recorded here; null refuses both.</param>
    /// <exception cref="SocketException">The address is in use, or not of this machine.</exception>
    public PeerServer(IPEndPoint address, string token, PeerCaps caps, PeerStart? start = null)
    {
        _start = start;
        _token = Encoding.UTF8.GetBytes(token);
        _caps = caps;
        _listener = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        _listener.Bind(address);
        _listener.Listen();
        LayCable(isIdle: true);
        PeerFolder.RemoveAbandoned();
    }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Address => (IPEndPoint)_listener.LocalEndPoint!;

    /// <summary>From how many machines runs come in turn.</summary>
    public int Senders { get; init; } = 1;

    /// <summary>Serves until it is stopped.</summary>
    /// <param name="report">Called with a sentence about each run.</param>
    /// <param name="stop">Ends it, after the run that is under way.</param>
    public void Run(Action<string> report, CancellationToken stop)
    {
        using PeerTurns turns = new(_listener, Senders);
        while (!stop.IsCancellationRequested)
        {
            using Socket? control = turns.Next();
            if (control is null)
            {
                continue;
            }

            control.SendTimeout = SendMilliseconds;
            string caller = control.RemoteEndPoint!.ToString()!;
            try
            {
                report($"{caller}: {Serve(control, stop)}");
            }
            catch (Exception ended) when (ended is LabException or SocketException or IOException)
            {
                report($"{caller}: {ended.Message}");
            }

            turns.End();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _listener.Dispose();
        LayCable(isIdle: false);
    }

    void LayCable(bool isIdle)
    {
        if (OperatingSystem.IsLinux())
        {
            _cable?.Dispose();
            _cable = isIdle ? IdleCable.Open(_start?.Middle ?? []) : null;
        }
    }

    string Serve(Socket control, CancellationToken stop)
    {
        PeerRequest request = PeerLine.Read(control, RequestLimit, LabJson.Default.PeerRequest);
        if (!CryptographicOperations.FixedTimeEquals(_token, Encoding.UTF8.GetBytes(request.Token)))
        {
            return Refuse(control, "The token is wrong.");
        }

        FlowSettings flow;
        try
        {
            flow = FlowSettingsReader.Read("flow:", request.Flow, request.Scale);
            PeerPath.Check(request.Path);
        }
        catch (ImpairmentException wrong)
        {
            return Refuse(control, wrong.Message);
        }

        string? refusal = FindRefusal(request) ?? FindRefusal(flow);
        return refusal is not null ? Refuse(control, refusal)
            : request.Middle is { } ends ? Emulate(control, request, ends, flow, stop)
            : Receive(control, request, flow, stop);
    }

    // In the middle: the path alone, until the caller has sent its last.
    string Emulate(Socket control, PeerRequest request, PathEnds ends, FlowSettings flow, CancellationToken stop)
    {
        string match = string.Create(CultureInfo.InvariantCulture, $"tcp host {ends.Sender} host {ends.Receiver} port {ends.Port}");
        using PeerRun? run = OpenRun(_start, control, request with { Recording = request.Recording is { } asked ? asked with { AtReceiver = false } : null },
            match, flow, stop);
        LayCable(isIdle: false);
        PeerLine.Write(control, new PeerReply(null, ends.Port, []), LabJson.Default.PeerReply);
        while (!stop.IsCancellationRequested && !control.Poll(PollMicroseconds, SelectMode.SelectRead))
        {
        }

        _ = control.Poll(0, SelectMode.SelectRead) ? control.Receive(new byte[1]) : 0;
        LayCable(isIdle: true);
        Finish(control, run, [], stop);
        return $"emulated {ends.Sender} to {ends.Receiver}.";
    }

    string Receive(Socket control, PeerRequest request, FlowSettings flow, CancellationToken stop)
    {
        string address = Address.Address.ToString();
        FlowJob job = new()
        {
            Sender = new FlowEnd(string.Empty, address, null), // whichever of the two this is, it listens
            Receiver = new FlowEnd(string.Empty, address, null),
            Port = 0,
            MaxBytes = _caps.Bytes / flow.Connections,
            Flow = flow with { IsIpv6 = Address.AddressFamily == AddressFamily.InterNetworkV6 },
        };
        PeerRun? run = null;
        try
        {
            IReadOnlyList<FlowReport> reports = FlowProgram.Run(
                job,
                isSender: flow.IsDownload,
                port =>
                {
                    IPAddress caller = ((IPEndPoint)control.RemoteEndPoint!).Address;
                    PeerStart? start = _start is null || !caller.Equals(Address.Address) ? _start : NearTo(_start, port);
                    run = OpenRun(start, control, request, string.Create(CultureInfo.InvariantCulture, $"tcp host {caller} port {port}"), flow, stop);
                    PeerLine.Write(control, new PeerReply(null, port, []), LabJson.Default.PeerReply);
                },
                () => stop.IsCancellationRequested || control.Poll(0, SelectMode.SelectRead),
                CancellationToken.None); // the run that is under way goes on to its end
            Finish(control, run, reports, stop);
            return string.Create(CultureInfo.InvariantCulture, $"{(flow.IsDownload ? "sent" : "received")} {FlowReport.Sum(reports).Bytes} bytes.");
        }
        finally
        {
            run?.Dispose();
        }
    }

    static void Finish(Socket control, PeerRun? run, IReadOnlyList<FlowReport> reports, CancellationToken stop)
    {
        if (run is null)
        {
            PeerLine.Write(control, new PeerReply(null, 0, reports), LabJson.Default.PeerReply);
            return;
        }

        try
        {
            run.Finish(control, reports, stop);
        }
        catch (LabPartException failed)
        {
            Refuse(control, failed.Message);
            throw;
        }
    }

    // A caller on this machine: which way a packet goes between its addresses is for its ends to say. On Windows that is for --ends.
    static PeerStart NearTo(PeerStart start, int port) => OperatingSystem.IsLinux()
        ? start with { Options = [.. start.Options, "--loopback-near", port.ToString(CultureInfo.InvariantCulture)] }
        : start;

    static PeerRun? OpenRun(PeerStart? here, Socket control, PeerRequest request, string match, FlowSettings flow, CancellationToken stop)
    {
        if (here is not { } start || (request.Path.Count == 0 && request.Recording is not { AtReceiver: true }))
        {
            return null;
        }

        try
        {
            return PeerRun.Open(start, request, match, TimeSpan.FromTicks(flow.LimitNs / NanosPerTick) + PathMargin, stop);
        }
        catch (LabException refused)
        {
            // The caller hears of it first; then it is reported here.
            Refuse(control, refused.Message);
            throw;
        }
    }

    string? FindRefusal(PeerRequest request)
    {
        bool isMiddle = _start is { Middle.Count: > 0 };
        if (isMiddle != request.Middle is not null)
        {
            return isMiddle
                ? "This machine is in the middle and receives nothing: name it with --middle, and the one that receives with --peer."
                : "This machine is not in the middle: start lab serve there with --bridge or --route.";
        }

        if (request.Middle is { } ends
            && !(IPAddress.TryParse(ends.Sender, out _) && IPAddress.TryParse(ends.Receiver, out _) && ends.Port is > 0 and <= ushort.MaxValue))
        {
            return "The ends of a path are two addresses and a port.";
        }

        if (_start is null)
        {
            return request.Path.Count > 0 ? "No path is emulated here." : request.Recording is { AtReceiver: true } ? "Nothing is recorded here." : null;
        }

        return request.Recording is { } recording && !recording.IsSane ? "Of each packet 64 to 65536 bytes are recorded here." : null;
    }

    string? FindRefusal(FlowSettings flow)
    {
        if (flow.LookupNs is not null)
        {
            return "A peer looks nothing up: lookup is for the lab's own path.";
        }

        if (flow.Bytes * flow.Connections > _caps.Bytes)
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"At most {_caps.Bytes} bytes are allowed here, {flow.Bytes * flow.Connections} were asked for.");
        }

        TimeSpan limit = TimeSpan.FromTicks(flow.LimitNs / NanosPerTick);
        if (limit > _caps.Time)
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"At most {_caps.Time.TotalSeconds} s are allowed here, a limit of {limit.TotalSeconds} s was asked for.");
        }

        return flow.ReceiveBufferBytes > MaxBufferBytes ? "A receive buffer of at most 64mib is allowed here." : null;
    }

    static string Refuse(Socket control, string reason)
    {
        PeerLine.Write(control, new PeerReply(reason, 0, []), LabJson.Default.PeerReply);
        return $"refused. {reason}";
    }
}

/// <summary>What one run may cost the machine that serves.</summary>
/// <param name="Bytes">Bytes of all its connections together.</param>
/// <param name="Time">Its own time limit.</param>
public sealed record PeerCaps(long Bytes, TimeSpan Time);

/// <summary>How a path is emulated and packets are recorded at this machine.</summary>
/// <param name="Program">How this program is started again.</param>
/// <param name="Options">Options of <c>shim serve</c> beside the path, e.g. where the driver is.</param>
public sealed record PeerStart(LabProgram Program, IReadOnlyList<string> Options)
{
    /// <summary>Where programs of Windows are asked what this machine is like; null does not ask.</summary>
    public Func<ICaptureMachine>? OpenMachine { get; init; }

    /// <summary>Options of <c>shim serve</c> for a machine in the middle, <c>--bridge</c> or <c>--route</c> with its two interfaces; empty for one that
    /// receives.</summary>
    public IReadOnlyList<string> Middle { get; init; } = [];
}
