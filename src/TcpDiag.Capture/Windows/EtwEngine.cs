using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// Records with an event tracing session of our own: no program in between, other sessions may run beside it, and buffers are sized
/// for the speed of the link. It gets packets only while someone else keeps a capture driver started (<c>pktmon start --capture</c>,
/// or netsh), because no session can start those: it is for events, or for a machine whose only pktmon is in use.
/// </summary>
sealed class EtwEngine : CaptureEngine
{
    const long MiB = 1 << 20;

    // Above our own limit: it still applies when this process is gone, and does not cut a trace that we would have stopped.
    const long HeadroomMiB = 16;

    // What a full-sized frame of 1538 bytes on the wire produces: its headers twice, at two layers, and about four stack events, each
    // with a record header of 80 bytes.
    const double RecordBytesPerWireByte = 700.0 / 1538;
    const int BitsPerByte = 8;

    // A disk stall of this length loses nothing. Non-paged memory is scarce, hence the upper bound.
    const double BufferSeconds = 1;
    const int MinBufferMiB = 16;
    const int MaxBufferMiB = 256;
    const int BufferKiB = 512;

    public override string Name => "etw";

    public override ProgramCall? Status => null;

    public override bool PromisesPackets => false;

    protected override IReadOnlyList<PlannedCommand> StopCommands { get; } =
        [new(ProgramCall.Of("ControlTraceW", "EVENT_TRACE_CONTROL_STOP"), "stops, writes what is still in memory")];

    public override string? WhyNotSplit(bool isByTime, int build) => WhyNotByTime(isByTime);

    public override bool Competes(string sessionName) => false;

    public override CapturePlan Plan(CaptureSettings settings, string traceFile, int build)
    {
        ArgumentNullException.ThrowIfNull(settings);
        EtwSessionPlan session = Session(settings, traceFile);
        return new()
        {
            Engine = Name,
            TraceFile = traceFile,
            Session = session,
            Start = [Describe(session), .. session.Providers.SelectMany(Describe)],
            Stop = StopCommands,
            Costs = WindowsCosts.OfUncut(settings, settings.MaxBytes + (HeadroomMiB * MiB)) with { MemoryBytes = session.BufferMebibytes * MiB },
            Departures = [.. Departures(settings)],
            Remarks = [.. Remarks(settings)],
        };
    }

    public override string? Start(ICaptureMachine machine, CapturePlan plan)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(plan);
        return machine.StartSession(plan.Session!);
    }

    public override string? Stop(ICaptureMachine machine, string sessionName, Action<TimeSpan>? waiting)
    {
        ArgumentNullException.ThrowIfNull(machine);
        return machine.StopSession(sessionName) ? null : $"Windows does not stop the session {sessionName}";
    }

    /// <summary>Memory for a link.</summary>
    /// <returns>MiB of buffers that hold one second at that speed.</returns>
    internal static int BufferMebibytes(long linkBitsPerSecond)
    {
        double bytes = (double)linkBitsPerSecond / BitsPerByte * RecordBytesPerWireByte * BufferSeconds;
        return (int)Math.Clamp(Math.Ceiling(bytes / MiB), MinBufferMiB, MaxBufferMiB);
    }

    static IEnumerable<string> Departures(CaptureSettings settings)
    {
        if (settings.Match.ForAnyProcess() is not MatchAll)
        {
            yield return "a session cannot filter: packets of all that pktmon or netsh let through are recorded, whatever --match says";
        }

        if (settings.Interfaces is not [{ Name: CaptureInterface.Any }])
        {
            yield return "a session knows no interfaces: packets of all are recorded, whatever --interface says";
        }

        yield return "a session cannot cut packets: they come as long as pktmon or netsh make them, whatever --snap says";
    }

    static IEnumerable<string> Remarks(CaptureSettings settings)
    {
        yield return "a session of its own holds packets only while somebody keeps pktmon or netsh capturing: use --engine pktmon or netsh for packets";
        if (settings.IsSplit)
        {
            yield return Unbounded;
        }

        if (settings.WithEvents)
        {
            yield return StackProviders.NotFiltered;
        }
    }

    static EtwSessionPlan Session(CaptureSettings settings, string traceFile)
    {
        long size = (settings.MaxBytes + MiB - 1) / MiB;
        IEnumerable<StackProvider> providers = settings.WithEvents ? [.. StackProviders.All, .. StackProviders.Packets] : StackProviders.Packets;
        return new(
            "tcpdiag-" + FolderName(traceFile),
            traceFile,
            BufferKiB,
            BufferMebibytes(settings.LinkBitsPerSecond),
            (int)Math.Min(settings.IsRing ? size : size + HeadroomMiB, int.MaxValue),
            settings.IsRing,
            PieceMebibytes(settings),
            [.. providers]);
    }

    // The folder of a recording has a unique name. A plan may be made on another system, so both separators are accepted.
    static string FolderName(string traceFile) => traceFile.Split('\\', '/')[^2];

    static PlannedCommand Describe(EtwSessionPlan session) => new(
        ProgramCall.Of(
            "StartTraceW",
            session.Name,
            $"LogFileName={(session.PieceMebibytes is null ? session.LogFile : TracePieces.PatternOf(session.LogFile))}",
            session.PieceMebibytes is not null ? "EVENT_TRACE_FILE_MODE_NEWFILE"
                : session.IsCircular ? "EVENT_TRACE_FILE_MODE_CIRCULAR"
                : "EVENT_TRACE_FILE_MODE_SEQUENTIAL",
            Number("MaximumFileSize", session.PieceMebibytes ?? session.FileMebibytes),
            Number("BufferSize", session.BufferKilobytes),
            Number("MinimumBuffers", session.BufferMebibytes * 1024 / session.BufferKilobytes)),
        "begins a session of its own; buffers hold what the fastest link makes in a second");

    static IEnumerable<PlannedCommand> Describe(StackProvider provider)
    {
        yield return new(
            ProgramCall.Of("EnableTraceEx2", provider.Name, $"MatchAnyKeyword={StackProviders.AllKeywords}", $"Level={provider.LevelText}"),
            StackProviders.Packets.Contains(provider) ? "packets, while its driver is started" : "events");
        if (provider.ReportsState)
        {
            yield return new(ProgramCall.Of("EnableTraceEx2", provider.Name, "EVENT_CONTROL_CODE_CAPTURE_STATE"),
                "connections that are already open are listed");
        }
    }

    static string Number(string name, int value) => string.Create(CultureInfo.InvariantCulture, $"{name}={value}");
}
