using System;
using System.Collections.Generic;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim.Queue;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>Two network namespaces of this test's own, joined by an emulated link that runs until the object is disposed of.</summary>
[SupportedOSPlatform("linux")]
sealed class LinkLab : ILinkLab
{
    readonly LinkNamespaces _hosts;
    readonly LinkRun _run;

    public LinkLab(bool isIpv6, string match, params string[] options)
        : this(isIpv6, isOpen: true, new MemoryStream(), match, options)
    {
    }

    LinkLab(bool isIpv6, bool isOpen, Stream log, string match, string[] options)
    {
        _hosts = new LinkNamespaces(isIpv6);
        _run = new LinkRun(_hosts.Link, isOpen, MatchParser.Parse(match), options, new ShimOptions { TimeLimit = TimeSpan.FromMinutes(15), Log = log });
    }

    /// <summary>A link that takes no packets until it is opened.</summary>
    public static LinkLab Closed(string match, params string[] options) => new(isIpv6: false, isOpen: false, new MemoryStream(), match, options);

    /// <summary>A link whose log is written but not kept.</summary>
    public static LinkLab Unlogged(string match, params string[] options) => new(isIpv6: false, isOpen: true, Stream.Null, match, options);

    public IPAddress NearAddress => _hosts.NearAddress;

    public IPAddress FarAddress => _hosts.FarAddress;

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NearSocket(type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.FarSocket(type, protocol);

    public void Open() => _run.Open();

    /// <summary>Ends the run.</summary>
    public ShimReport Stop() => _run.Stop();

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => Finish(out _);

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish(out RunLosses losses) => _run.Finish(out losses);

    public void Dispose()
    {
        _run.Dispose();
        _hosts.Dispose();
    }
}

/// <summary>Two hosts on a veth cable; what the near one sends and receives goes through its packet queue.</summary>
[SupportedOSPlatform("linux")]
sealed class QueueLinkLab : ILinkLab
{
    readonly QueueLab _hosts = new();
    readonly QueuePort _port;
    readonly LinkRun _run;

    public QueueLinkLab(bool isIpv6, string match, string[] options)
    {
        FarAddress = IPAddress.Parse(isIpv6 ? QueueLab.PeerAddress6 : QueueLab.PeerAddress);
        _hosts.AddPeer();
        MatchRule rule = MatchParser.Parse(match);
        _port = _hosts.Divert(rule);
        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(2), MaxPacketBytes = ushort.MaxValue, Log = new MemoryStream() };
        _run = new LinkRun(_port, isOpen: true, rule, options, run);
    }

    public IPAddress FarAddress { get; }

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NewSocket(FarAddress.AddressFamily, type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.NewPeerSocket(FarAddress.AddressFamily, type, protocol);

    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => _run.Finish(out _);

    public void Dispose()
    {
        _run.Dispose();
        _port.Dispose();
        _hosts.Dispose();
    }
}

/// <summary>A shim that runs on a thread of its own until it is stopped, or the object is disposed of; its port stays open.</summary>
sealed class LinkRun : IDisposable
{
    readonly GatedPort _gate;
    readonly Stream? _log;
    readonly CancellationTokenSource _stop = new();
    readonly Task<ShimReport> _run;

    /// <summary>Starts it, and waits until it asks for packets.</summary>
    /// <param name="port">Where packets come from.</param>
    /// <param name="isOpen">Whether it takes them at once.</param>
    /// <param name="match">Which to impair.</param>
    /// <param name="options">What to do with them, e.g. <c>delay 1ms</c>.</param>
    /// <param name="run">How to run; its log, if it has one, is read by <see cref="Finish"/>.</param>
    public LinkRun(IPacketPort port, bool isOpen, MatchRule match, string[] options, ShimOptions run)
    {
        _log = run.Log;
        _gate = new GatedPort(port);
        if (isOpen)
        {
            _gate.Open();
        }

        _run = Task.Factory.StartNew(
            () => ShimRun.Run(_gate, match, Profile(options), run, _stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        _gate.AwaitBegin(_run);
    }

    public void Open() => _gate.Open();

    /// <summary>Ends the run.</summary>
    public ShimReport Stop()
    {
        _stop.Cancel();
        return _run.GetAwaiter().GetResult();
    }

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish(out RunLosses losses)
    {
        ShimReport report = Stop();
        _log!.Position = 0;
        DecisionLogReader reader = new(_log);
        List<ImpairmentDecision> decisions = [];
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            decisions.Add(decision);
        }

        losses = reader.Losses;
        return reader.IsComplete ? (report, decisions) : throw new InvalidDataException("The decision log has no end.");
    }

    public void Dispose()
    {
        _stop.Cancel();
        _run.ContinueWith(_ => { }, default, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default).Wait();
        _gate.Dispose();
        _stop.Dispose();
        _log?.Dispose();
    }

    static ImpairmentProfile Profile(string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set(option, parts[0], parts[1]);
        }

        return parser.Build();
    }
}
