using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>One of the two programs of a flow: opens its connections and sends or receives on all of them at once, on a thread each.</summary>
public static class FlowProgram
{
    const long NanosPerTick = 100;

    /// <summary>Runs to the end of all connections.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called with the port once a connection would be accepted; not at all by the end that connects.</param>
    /// <param name="isGivenUp">Asked while waiting for a connection; null is never.</param>
    /// <param name="interruption">Shuts the connections down: each is reported with what it carried until then.</param>
    /// <returns>What was counted, a report for each connection.</returns>
    /// <exception cref="LabException">A setting of a socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the other end.</exception>
    public static IReadOnlyList<FlowReport> Run(
        FlowJob job, bool isSender, Action<int> ready, Func<bool>? isGivenUp = null, CancellationToken interruption = default)
    {
        HyStartCounters? before = isSender && job.Flow.Connections == 1 ? HyStartCounters.Read(job.Sender.Namespace) : null;
        TimeSpan used = Environment.CpuUsage.TotalTime;
        FlowReport[] reports = RunAll(job, isSender, ready, isGivenUp, interruption);
        long cpu = (Environment.CpuUsage.TotalTime - used).Ticks * NanosPerTick / reports.Length;
        reports = [.. reports.Select(report => report with { CpuNs = cpu })];
        return before is null ? reports : [reports[0] with { HyStart = HyStartCounters.Read(job.Sender.Namespace)?.Since(before) }];
    }

    static FlowReport[] RunAll(FlowJob job, bool isSender, Action<int> ready, Func<bool>? isGivenUp, CancellationToken interruption)
    {
        using FlowOpening opening = new(job, isSender, ready, isGivenUp);
        List<Task<FlowReport>> running = [];
        for (int i = 1; i <= job.Flow.Connections; i++)
        {
            string? log = LogOf(isSender ? job.Sender.Log : job.Receiver.Log, i);
            Func<Socket> open = opening.Open;
            if (!opening.IsClient)
            {
                Socket accepted = opening.Open();
                open = () => accepted;
            }

            running.Add(Task.Factory.StartNew(
                () => Transfer(open(), job, isSender, log, interruption), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));
        }

        return Task.WhenAll(running).GetAwaiter().GetResult().OrderBy(report => report.ClientPort).ToArray();
    }

    static FlowReport Transfer(Socket connection, FlowJob job, bool isSender, string? path, CancellationToken interruption)
    {
        using Socket socket = connection;
        using CancellationTokenRegistration ending = interruption.Register(() => FlowSocket.ShutDown(socket));
        using TransferLog log = new(path);
        FlowOutcome outcome = isSender ? FlowSender.Run(socket, job.Flow, log) : FlowReceiver.Run(socket, job.Flow, job.MaxBytes ?? long.MaxValue, log);
        return log.Report(outcome, socket, isSender != job.Flow.IsDownload);
    }

    // sender.tsv, sender-2.tsv, …
    static string? LogOf(string? path, int number) =>
        number == 1 || path is null ? path : System.IO.Path.ChangeExtension(path, null) + string.Create(CultureInfo.InvariantCulture, $"-{number}.tsv");
}

/// <summary>Brings the connections of a flow up, at either end.</summary>
sealed class FlowOpening : IDisposable
{
    const long NanosPerTick = 100;

    static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(100);

    readonly FlowJob _job;
    readonly bool _isSender;
    readonly Func<bool>? _isGivenUp;
    readonly Socket? _listener;

    /// <summary>Gets ready: listens, or asks for the name of the other end.</summary>
    /// <param name="job">The flow.</param>
    /// <param name="isSender">Which end this is.</param>
    /// <param name="ready">Called with the port once a connection would be accepted; not at all by the end that connects.</param>
    /// <param name="isGivenUp">Asked while waiting for a connection; null is never.</param>
    /// <exception cref="LabException">A setting of the socket did not take.</exception>
    public FlowOpening(FlowJob job, bool isSender, Action<int> ready, Func<bool>? isGivenUp)
    {
        _job = job;
        _isSender = isSender;
        _isGivenUp = isGivenUp;
        if (IsClient)
        {
            if (job.Flow.LookupNs is { } duration)
            {
                if (!OperatingSystem.IsLinux())
                {
                    throw new LabException("lookup: asked for on the lab's own path only, which Linux makes.");
                }

                NetbiosQuery.Run(Own.Namespace, Other.Address, duration);
            }

            return;
        }

        // What is set on the listening socket holds for the accepted ones.
        _listener = Create();
        _listener.Bind(new IPEndPoint(IPAddress.Parse(Own.Address), job.Port));
        _listener.Listen(job.Flow.Connections);
        ready(((IPEndPoint)_listener.LocalEndPoint!).Port);
    }

    /// <summary>Whether this end connects.</summary>
    public bool IsClient => _isSender != _job.Flow.IsDownload;

    FlowEnd Own => _isSender ? _job.Sender : _job.Receiver;

    FlowEnd Other => _isSender ? _job.Receiver : _job.Sender;

    /// <summary>Connects, or waits for the other end to do so.</summary>
    /// <exception cref="LabException">A setting of the socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the other end.</exception>
    public Socket Open()
    {
        if (_listener is { } listener)
        {
            return Accept(listener);
        }

        Socket socket = Create();
        if (Own is { Namespace: "", Address: { Length: > 0 } address })
        {
            socket.Bind(new IPEndPoint(IPAddress.Parse(address), 0));
        }

        socket.Connect(IPAddress.Parse(Other.Address), _job.Port);
        return socket;
    }

    Socket Accept(Socket listener)
    {
        for (TimeSpan waited = TimeSpan.Zero; waited.Ticks * NanosPerTick < _job.Flow.LimitNs; waited += PollInterval)
        {
            if (listener.Poll(PollInterval, SelectMode.SelectRead))
            {
                return listener.Accept();
            }

            if (_isGivenUp?.Invoke() == true)
            {
                throw new LabException("The other end went away before it connected.");
            }
        }

        throw new LabException("The other end did not connect within the time limit.");
    }

    /// <inheritdoc/>
    public void Dispose() => _listener?.Dispose();

    Socket Create()
    {
        Socket socket = FlowSocket.Open(Own.Namespace, _job.Flow.IsIpv6);
        FlowSocket.SetCongestion(socket, _job.Flow.Congestion);
        if (_isSender)
        {
            FlowSocket.SetSendBuffer(socket, _job.Flow.SendBufferBytes);
            FlowSocket.SetPacing(socket, _job.Flow.PacingBitsPerSecond);
        }
        else
        {
            FlowSocket.SetReceiveBuffer(socket, _job.Flow.ReceiveBufferBytes);
        }

        socket.NoDelay = true;
        return socket;
    }
}

/// <summary>What sender and receiver have to do: one file, <c>flow.json</c>, for both.</summary>
public sealed record FlowJob
{
    /// <summary>The sending end.</summary>
    public required FlowEnd Sender { get; init; }

    /// <summary>The receiving end.</summary>
    public required FlowEnd Receiver { get; init; }

    /// <summary>The port at which the one listens that does not connect; 0 leaves it to the system.</summary>
    public required int Port { get; init; }

    /// <summary>The receiver closes a connection that brings more; null for no limit.</summary>
    public long? MaxBytes { get; init; }

    /// <summary>The flow.</summary>
    public required FlowSettings Flow { get; init; }
}

/// <summary>Where one of the two programs works.</summary>
/// <param name="Namespace">Its network namespace.</param>
/// <param name="Address">Its address there.</param>
/// <param name="Log">The log of its writes or reads; null keeps none.</param>
public sealed record FlowEnd(string Namespace, string Address, string? Log);
