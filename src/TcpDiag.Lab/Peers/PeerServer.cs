using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
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
    const int PollMicroseconds = 100_000;
    const int MaxBufferBytes = 64 << 20;

    // A caller that does not read for so long has gone, or holds this up for others.
    const int SendMilliseconds = 30_000;

    const long NanosPerTick = 100;

    static readonly TimeSpan RequestLimit = TimeSpan.FromSeconds(5);

    // Beside the flow itself: until the sender has started its recorder.
    static readonly TimeSpan PathMargin = TimeSpan.FromSeconds(60);

    readonly Socket _listener;
    readonly byte[] _token;
    readonly PeerCaps _caps;
    readonly PeerStart? _start;

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
        PeerFolder.RemoveAbandoned();
    }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Address => (IPEndPoint)_listener.LocalEndPoint!;

    /// <summary>Serves until it is stopped.</summary>
    /// <param name="report">Called with a sentence about each run.</param>
    /// <param name="stop">Ends it, after the run that is under way.</param>
    public void Run(Action<string> report, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            if (!_listener.Poll(PollMicroseconds, SelectMode.SelectRead))
            {
                continue;
            }

            using Socket control = _listener.Accept();
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
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _listener.Dispose();

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
        return refusal is null ? Receive(control, request, flow, stop) : Refuse(control, refusal);
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
                    run = OpenRun(control, request, flow, port, stop);
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

    PeerRun? OpenRun(Socket control, PeerRequest request, FlowSettings flow, int port, CancellationToken stop)
    {
        if (_start is not { } start || (request.Path.Count == 0 && request.Recording is not { AtReceiver: true }))
        {
            return null;
        }

        try
        {
            IPAddress caller = ((IPEndPoint)control.RemoteEndPoint!).Address;
            return PeerRun.Open(start, request, caller, port, TimeSpan.FromTicks(flow.LimitNs / NanosPerTick) + PathMargin, stop);
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
public sealed record PeerStart(LabProgram Program, IReadOnlyList<string> Options);
