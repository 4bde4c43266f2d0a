using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

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

        _run = Task.Factory.StartNew(() => ShimRun.Run(_gate, match, Profile(options), run, _stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
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
