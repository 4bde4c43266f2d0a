using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Platform;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim;

/// <summary>
/// One run: packets go through the emulator on a thread of their own, with real-time priority where that is allowed, while the calling thread writes the
/// decision log, keeps the statistics and watches the end.
/// </summary>
public sealed class ShimRun
{
    const int WriterPauseMs = 20;
    const int ProgressEveryPauses = 25;
    const long NanosPerTick = 100;

    static readonly TraceTime EndOfTime = new(long.MaxValue);

    readonly IPacketPort _port;
    readonly ShimOptions _options;
    readonly ImpairmentProfile _profile;
    readonly ShimClock _clock;
    readonly DecisionRing _ring = new();
    readonly DelayErrorStatistics _errors = new();
    readonly DecisionLogWriter? _log;
    readonly ObservationFile? _between;
    readonly ShimLoop _loop;
    readonly TraceTime _start;
    readonly long _lostBefore;
    readonly long _bypassedBefore;
    ExceptionDispatchInfo? _failure;
    bool _isRealTime;
    long _reordered;

    ShimRun(IPacketPort port, MatchRule match, ImpairmentProfile profile, ShimOptions options)
    {
        _port = port;
        _lostBefore = port.Lost;
        _bypassedBefore = port.Bypassed;
        _options = options;
        _profile = profile;
        _clock = new ShimClock(options.Time);
        _start = _clock.Now;
        _between = options.Between is null ? null : new ObservationFile(options.Between, options.BetweenSnapBytes);
        _loop = new ShimLoop(port, match, profile.Settings, _clock, _ring, options.MaxPacketBytes, _between?.Ring);
        if (options.Log is not null)
        {
            string text = string.Join('\n', profile.Options) + "\n";
            _log = new DecisionLogWriter(options.Log, new DecisionLogHeader(_start, profile.Settings.Seed, profile.DelayErrorLimitNanos, text));
        }
    }

    /// <summary>Runs until the time limit or until it is stopped.</summary>
    /// <param name="port">Where packets come from; stays open.</param>
    /// <param name="match">Which of them to impair.</param>
    /// <param name="profile">What to do with them.</param>
    /// <param name="options">How to run.</param>
    /// <param name="stop">Ends the run.</param>
    /// <returns>What came of it.</returns>
    /// <exception cref="PlatformException">The system refused a packet call.</exception>
    public static ShimReport Run(IPacketPort port, MatchRule match, ImpairmentProfile profile, ShimOptions options, CancellationToken stop)
    {
        WarmUp(profile.Settings);
        ShimRun run = new(port, match, profile, options);
        return run.Run(stop);
    }

    // The first packets would otherwise wait for the compiler.
    static void WarmUp(EmulatorSettings settings)
    {
        DecisionRing ring = new();
        LinkEmulator emulator = new(settings, default, ring);
        for (int i = 0; i < 2_000; i++)
        {
            emulator.Offer(new LinkPacket { LengthBytes = 1000, FlowHash = (uint)i, Direction = (LinkDirection)(i & 1) }, new TraceTime(i * 1_000_000L));
            while (emulator.TryTake(new TraceTime(i * 1_000_000L), out _))
            {
            }
        }
    }

    ShimReport Run(CancellationToken stop)
    {
        Thread thread = new(RunLoop) { Name = "packets", IsBackground = true };
        thread.Start();
        int pauses = 0;
        while (thread.IsAlive && !IsOver(stop))
        {
            stop.WaitHandle.WaitOne(WriterPauseMs);
            WriteDecisions();
            _between?.Write(_clock.Now);
            if (++pauses % ProgressEveryPauses == 0)
            {
                _options.Progress?.Invoke(Figures());
            }
        }

        _loop.Stop();
        thread.Join();
        WriteDecisions();
        _between?.Write(EndOfTime);
        _between?.Dispose();
        _log?.Complete(_clock.Now, Losses());
        _failure?.Throw();
        return new ShimReport(Figures(), _isRealTime, FindFault(), [.. _port.Notes, .. _loop.Emulator.DescribeCross(_clock.Now - _start)]);
    }

    bool IsOver(CancellationToken stop) =>
        stop.IsCancellationRequested || _clock.Now - _start >= _options.TimeLimit.Ticks * NanosPerTick;

    void RunLoop()
    {
        try
        {
            _isRealTime = RealTimePriority.TryTake();
            _loop.Run();
        }
        catch (PlatformException refused)
        {
            _failure = ExceptionDispatchInfo.Capture(refused);
        }
    }

    void WriteDecisions()
    {
        while (_ring.TryTake(out ImpairmentDecision decision))
        {
            _errors.Record(in decision);
            _reordered += decision.Action.IsReordering() ? 1 : 0;
            _log?.Record(in decision);
        }
    }

    ShimFigures Figures()
    {
        DecisionCounts sent = _loop.Emulator.Counts(LinkDirection.Out);
        DecisionCounts received = _loop.Emulator.Counts(LinkDirection.In);
        RunLosses losses = Losses();
        return new ShimFigures(
            _clock.Now - _start,
            sent.Offered + received.Offered,
            sent.Forwarded + received.Forwarded,
            sent.Dropped + received.Dropped,
            _reordered,
            _loop.Passed,
            _errors.QuantileNanos(0.5),
            _errors.QuantileNanos(0.99),
            _errors.MaxNanos,
            losses.Packets,
            losses.Bypassed,
            losses.Records);
    }

    RunLosses Losses() => new(_ring.Lost, _port.Lost - _lostBefore, _port.Bypassed - _bypassedBefore);

    // What passed by says more than that nothing came.
    string? FindFault() => _port.Doubt
        ?? RunValidity.FindFault(_errors, _profile.DelayErrorLimitNanos, CapacityDrops(), Losses())
        ?? (_loop.Emulator.Counts(LinkDirection.Out).Offered + _loop.Emulator.Counts(LinkDirection.In).Offered == 0
            ? "No packet of the match came by: nothing was emulated."
            : null)
        ?? (_between?.Ring.Lost > 0
            ? string.Create(CultureInfo.InvariantCulture, $"The capture on the path lacks {_between.Ring.Lost} packets: the disk was too slow.")
            : null);

    long CapacityDrops() =>
        _loop.Emulator.Counts(LinkDirection.Out)[ImpairmentAction.DropCapacity] + _loop.Emulator.Counts(LinkDirection.In)[ImpairmentAction.DropCapacity];
}

/// <summary>How to run, beside what to emulate.</summary>
public sealed record ShimOptions
{
    /// <summary>After so long the run ends by itself.</summary>
    public required TimeSpan TimeLimit { get; init; }

    /// <summary>Where the decision log goes; null keeps none. Stays open.</summary>
    public Stream? Log { get; init; }

    /// <summary>Where a capture at the point between the path's two segments goes; null keeps none. Closed at the end of the run.</summary>
    public Stream? Between { get; init; }

    /// <summary>Bytes that capture keeps of each packet.</summary>
    public int BetweenSnapBytes { get; init; } = 120;

    /// <summary>Called with the figures so far, about twice a second, on the calling thread; may be null.</summary>
    public Action<ShimFigures>? Progress { get; init; }

    /// <summary>Bytes of the largest packet; a larger one is cut off by the system.</summary>
    public int MaxPacketBytes { get; init; } = 2048;

    /// <summary>Where the time of day comes from.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>How a run stands.</summary>
/// <param name="ElapsedNs">Nanoseconds since it began.</param>
/// <param name="Offered">Packets the match took in, both directions.</param>
/// <param name="Forwarded">Packets that left, copies included.</param>
/// <param name="Dropped">Packets dropped for any reason.</param>
/// <param name="Reordered">Packets taken out of their order.</param>
/// <param name="Passed">Packets the match left alone.</param>
/// <param name="DelayErrorP50Ns">Half of the packets left at most so many nanoseconds late.</param>
/// <param name="DelayErrorP99Ns">99 % of the packets left at most so many nanoseconds late.</param>
/// <param name="DelayErrorMaxNs">The latest packet, in nanoseconds.</param>
/// <param name="Lost">Packets the system lost in front of the emulator or behind it.</param>
/// <param name="Bypassed">Packets that passed a full queue without being emulated.</param>
/// <param name="RecordsLost">Decisions missing in the log.</param>
public sealed record ShimFigures(
    long ElapsedNs,
    long Offered,
    long Forwarded,
    long Dropped,
    long Reordered,
    long Passed,
    long DelayErrorP50Ns,
    long DelayErrorP99Ns,
    long DelayErrorMaxNs,
    long Lost,
    long Bypassed,
    long RecordsLost);

/// <summary>What came of a run.</summary>
/// <param name="Figures">The final figures.</param>
/// <param name="IsRealTime">Whether the packet thread had real-time priority.</param>
/// <param name="Fault">Why the run is void, as a sentence; null if it is valid.</param>
/// <param name="Notes">What the user should know of how packets were diverted, and what became of cross traffic, in whole sentences.</param>
public sealed record ShimReport(ShimFigures Figures, bool IsRealTime, string? Fault, IReadOnlyList<string> Notes);
