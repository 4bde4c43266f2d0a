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
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>Two network namespaces of this test's own, joined by an emulated link that runs until the object is disposed of.</summary>
[SupportedOSPlatform("linux")]
sealed class LinkLab : ILinkLab
{
    readonly LinkNamespaces _hosts = new();
    readonly GatedPort _gate;
    readonly Stream _log;
    readonly CancellationTokenSource _stop = new();
    readonly Task<ShimReport> _run;

    public LinkLab(string match, params string[] options)
        : this(isOpen: true, new MemoryStream(), match, options)
    {
    }

    LinkLab(bool isOpen, Stream log, string match, string[] options)
    {
        _log = log;
        _gate = new GatedPort(_hosts.Link);
        if (isOpen)
        {
            _gate.Open();
        }

        ShimOptions run = new() { TimeLimit = TimeSpan.FromMinutes(15), Log = _log };
        _run = Task.Factory.StartNew(
            () => ShimRun.Run(_gate, MatchParser.Parse(match), Profile(options), run, _stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>A link that takes no packets until it is opened.</summary>
    public static LinkLab Closed(string match, params string[] options) => new(isOpen: false, new MemoryStream(), match, options);

    /// <summary>A link whose log is written but not kept.</summary>
    public static LinkLab Unlogged(string match, params string[] options) => new(isOpen: true, Stream.Null, match, options);

    public IPAddress NearAddress => _hosts.NearAddress;

    public IPAddress FarAddress => _hosts.FarAddress;

    public TimeSpan Patience => NumberedDatagrams.Patience;

    public Socket NearSocket(SocketType type, ProtocolType protocol) => _hosts.NearSocket(type, protocol);

    public Socket FarSocket(SocketType type, ProtocolType protocol) => _hosts.FarSocket(type, protocol);

    public void Open() => _gate.Open();

    /// <summary>Ends the run.</summary>
    public ShimReport Stop()
    {
        _stop.Cancel();
        return _run.GetAwaiter().GetResult();
    }

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish() => Finish(out _);

    /// <summary>Ends the run and reads its log.</summary>
    public (ShimReport Report, List<ImpairmentDecision> Decisions) Finish(out RunLosses losses)
    {
        ShimReport report = Stop();
        _log.Position = 0;
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
        _hosts.Dispose();
        _stop.Dispose();
        _log.Dispose();
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
