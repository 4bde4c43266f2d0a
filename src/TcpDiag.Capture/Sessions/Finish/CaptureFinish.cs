using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Windows;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Sessions.Finish;

/// <summary>
/// From a running recording to a result under its final name, with nothing else left. Each part checks the machine first and
/// does only what is still to do, so that it can start anywhere: at the end of a recording, or after a crash.
/// </summary>
/// <param name="machine">The machine.</param>
/// <param name="engine">What records.</param>
/// <param name="folder">The recording.</param>
/// <param name="progress">Receives the progress.</param>
/// <param name="time">The clock.</param>
sealed class CaptureFinish(ICaptureMachine machine, CaptureEngine engine, CaptureFolder folder, ICaptureProgress progress, TimeProvider time)
{
    /// <summary>The request, by which the trace is judged; null after a crash, when only the trace itself counts.</summary>
    public CaptureSettings? Settings { get; init; }

    /// <summary>What was noticed while it recorded, a sentence each.</summary>
    public IReadOnlyList<string> Noticed { get; init; } = [];

    /// <summary>Stops, checks, collects and cleans up.</summary>
    /// <param name="why">Why it stops, for the journal.</param>
    /// <param name="output">Full path of the result; a file of that name is replaced.</param>
    /// <exception cref="CaptureException">The session cannot be stopped, or the result not be written; what was recorded is kept.</exception>
    public CaptureOutcome Run(string why, string output)
    {
        List<string> remarks = [.. Noticed];
        Step(CaptureStep.Stopping, remarks, why);
        EtwSession? last = Stop(remarks);
        Step(CaptureStep.Stopped, remarks);
        RequireWritable(output);
        string[] files = TraceFiles(output);

        // After a crash there may be no trace yet, or none any more, which is no error.
        bool isNothing = Settings is null && !Array.Exists(files, File.Exists);
        TraceInspection? trace = isNothing ? null : TraceCheck.Inspect(files, engine.PromisesPackets, NoEvents(), remarks);
        if (trace is { Packets: > 0 } && Settings is { } asked)
        {
            AddIf(remarks, ProcessRemark.For(asked.Match));
            FilterCheck.Check(files, asked.Match, remarks);
            TraceCheck.CheckRing(files[0], trace, asked.RingTime, remarks);
        }

        List<string> results = Collect(output, why, remarks);
        Step(CaptureStep.Collected, remarks);
        long bytes = results.Sum(FileLength.Of);
        AddIf(remarks, folder.Remove());
        return new(results is [var first, ..] ? first : null, trace, last, bytes, TraceCheck.IsWhole(trace, engine.PromisesPackets), remarks);
    }

    /// <summary>Stops and removes what a failed start has left. The folder stays while anything of the engine runs, which may write into it.</summary>
    /// <param name="begun">
    /// The session that the engine says it has begun, by the name it would have; null where it says that it has not. No other of its kind ran before,
    /// so that whatever runs of it now is ours, also when Windows lists it late or under another file.
    /// </param>
    /// <exception cref="CaptureException">The session cannot be stopped.</exception>
    public void Abandon(string? begun)
    {
        if (begun is not null)
        {
            StopUnlisted(begun);
        }

        Stop([]);
        if (SessionProbe.Take(machine, engine, folder.TraceFile).Foreign is null && folder.Remove() is { } left)
        {
            progress.Report(left);
        }
    }

    // After a crash the start commands in the journal show whether events were asked for, unless the engine cannot record them.
    string? NoEvents()
    {
        string? whyNot = engine.WhyNoEvents(machine.Build);
        bool isAskedFor = Settings?.WithEvents ?? (whyNot is not null || folder.Journal.Any(entry =>
            entry.Step == CaptureStep.Starting && entry.Detail?.Contains(StackProviders.TcpIp.Name, StringComparison.Ordinal) is true));
        return isAskedFor ? whyNot ?? TraceCheck.NoEvents : null;
    }

    void StopUnlisted(string name)
    {
        EtwSession? Running() => SessionProbe.Take(machine, engine, folder.TraceFile) is var probe ? probe.Ours ?? probe.Foreign : null;
        string? failure = engine.Stop(machine, name, progress.Stopping);
        if (Running() is { } session && !(machine.StopSession(session.Name) && Running() is null))
        {
            throw StillRuns(session, failure);
        }
    }

    // Returns the last state of the session before it was stopped.
    EtwSession? Stop(List<string> remarks)
    {
        SessionProbe probe = SessionProbe.Take(machine, engine, folder.TraceFile);
        if (probe.Ours is { } session)
        {
            string? failure = engine.Stop(machine, session.Name, progress.Stopping);
            RequireStopped(session, failure);
            AddIf(remarks, failure);
        }

        // The filters of someone else's recording stay.
        AddIf(remarks, probe.Foreign is null ? engine.Undo(machine) : null);
        return probe.Ours;
    }

    void RequireStopped(EtwSession session, string? failure)
    {
        bool Runs() => SessionProbe.Take(machine, engine, folder.TraceFile).Ours is not null;
        if (!Runs() || (machine.StopSession(session.Name) && !Runs()))
        {
            return;
        }

        throw StillRuns(session, failure);
    }

    CaptureException StillRuns(EtwSession session, string? failure) => new(
        $"the recording still runs: {failure ?? $"{engine.Name} says that it has stopped it, but {session.Name} still writes {folder.TraceFile}"}. "
            + $"`tcpdiag capture recover` tries again; `logman stop \"{session.Name}\" -ets` stops it by hand.");

    void RequireWritable(string output)
    {
        if (File.Exists(TraceFiles(output)[0]) && ResultFile.WhyNotWritable(output) is { } why)
        {
            throw Kept(why);
        }
    }

    CaptureException Kept(string why) => new(
        $"{why} What was recorded is kept in {folder.Path}: `tcpdiag capture recover` finishes it when the result can be written; else "
            + "take trace.etl from there and remove the folder.");

    List<string> Collect(string output, string why, List<string> remarks)
    {
        NoteCollecting(output);
        try
        {
            return CaptureRequest.IsBundle(output) ? CollectBundle(output, why, remarks) : CollectTraces(output, remarks);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Kept($"{output} cannot be written: {exception.Message}");
        }
    }

    // After a crash a trace may already be in the target folder, under its temporary name.
    string[] TraceFiles(string output) => TracePieces.Of(folder.TraceFile) is { Count: > 0 } pieces ? [.. pieces.Select(piece => piece.Path)]
        : [File.Exists(ResultFile.Temporary(output)) ? ResultFile.Temporary(output) : folder.TraceFile];

    // A move to another disk is a copy and a removal: until the copy is complete the trace is still here.
    List<string> CollectTraces(string output, List<string> remarks)
    {
        IReadOnlyList<(int Number, string Path)> pieces = TracePieces.Of(folder.TraceFile);
        if (pieces.Count > 1 || pieces is [{ Number: > 0 }])
        {
            return CollectPieces(pieces, output, remarks);
        }

        string temporary = ResultFile.Temporary(output);
        if (File.Exists(folder.TraceFile))
        {
            File.Move(folder.TraceFile, temporary, overwrite: true);
        }

        if (!File.Exists(temporary))
        {
            return [];
        }

        InheritRights(temporary, remarks);
        File.Move(temporary, output, overwrite: true);
        return [output];
    }

    // The folder of a recording is for administrators alone, and a file moved out of it on the same disk keeps those rights.
    void InheritRights(string path, List<string> remarks)
    {
        if (machine.InheritRights(path) is { } why)
        {
            remarks.Add($"only administrators can open the result: {why} `icacls FILE /reset` gives it the rights of its folder.");
        }
    }

    List<string> CollectPieces(IReadOnlyList<(int Number, string Path)> pieces, string output, List<string> remarks)
    {
        List<string> results = [];
        foreach ((int number, string path) in pieces)
        {
            string result = TracePieces.NameOf(output, number);
            File.Move(path, result, overwrite: true);
            InheritRights(result, remarks);
            results.Add(result);
        }

        remarks.Add($"the recording is in {results[0]}{(results.Count > 1 ? $" to {results[^1]}" : string.Empty)}; each opens alone, and commands "
            + "read several as one");
        return results;
    }

    List<string> CollectBundle(string output, string why, List<string> remarks)
    {
        if (TracePieces.Of(folder.TraceFile) is not { Count: > 0 } pieces)
        {
            return [];
        }

        using (var bundle = new BundleWriter(new FileStream(ResultFile.Temporary(output), FileMode.Create, FileAccess.Write)))
        {
            foreach ((int number, string path) in pieces)
            {
                AddFile(bundle, number == 0 ? "trace.etl" : FormattableString.Invariant($"trace-{number}.etl"), BundleManifest.TraceKind, path);
            }

            AddFile(bundle, BundleManifest.SnapshotName, BundleManifest.SnapshotKind, folder.SnapshotFile);
            AddFile(bundle, BundleManifest.JournalName, BundleManifest.JournalKind, folder.JournalFile);
            bundle.Complete(BundleWriter.Describe(engine.Name, folder.Journal[0].Detail ?? string.Empty, why, remarks, time.GetUtcNow()));
        }

        File.Move(ResultFile.Temporary(output), output, overwrite: true);
        return [output];
    }

    static void AddFile(BundleWriter bundle, string name, string kind, string path)
    {
        if (File.Exists(path))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            bundle.Add(name, kind, file);
        }
    }

    // A step that cannot be journaled, e.g. on a full disk, is done all the same: a recording must not run on because of it.
    void Step(CaptureStep step, List<string> remarks, string? detail = null)
    {
        try
        {
            folder.Write(new(time.GetUtcNow(), step, Detail: detail));
        }
        catch (IOException exception)
        {
            remarks.Add($"the journal could not be written when the recording was {step.ToString().ToLowerInvariant()}: {exception.Message}");
        }

        progress.Reached(step);
    }

    // But a recovery must know where the parts go.
    void NoteCollecting(string output)
    {
        try
        {
            folder.Write(new(time.GetUtcNow(), CaptureStep.Collecting, Output: output));
        }
        catch (IOException exception)
        {
            throw Kept($"{folder.JournalFile} cannot be written: {exception.Message}");
        }

        progress.Reached(CaptureStep.Collecting);
    }

    static void AddIf(List<string> remarks, string? text)
    {
        if (text is not null)
        {
            remarks.Add(text);
        }
    }
}

/// <summary>What a recording has left behind for its user.</summary>
/// <param name="Output">The result; null when there was nothing to keep.</param>
/// <param name="Trace">What the trace holds; null when it does not open.</param>
/// <param name="Session">Last state of the session; null when it had ended.</param>
/// <param name="Bytes">Size of the result.</param>
/// <param name="IsWhole">Whether the trace opens and holds what the engine promises.</param>
/// <param name="Remarks">What went wrong or is missing, one sentence each.</param>
sealed record CaptureOutcome(string? Output, TraceInspection? Trace, EtwSession? Session, long Bytes, bool IsWhole, IReadOnlyList<string> Remarks)
{
    /// <summary>The outcome in the form common to all recorders.</summary>
    public CaptureSummary ToSummary(string engine, TraceTime started, TimeSpan duration, StopReason reason) => new()
    {
        Engine = engine,
        Started = started,
        Duration = duration,
        StopReason = reason,
        Bytes = Bytes,
        Interfaces = [.. (Trace?.Interfaces ?? [])
            .Select(device => new InterfaceSummary(device.Name ?? device.Description ?? string.Empty, device.Packets, device.Dropped ?? 0))],
        Events = TraceCheck.TcpEvents(Trace),
        Samples = 0,
        LostEvents = Math.Max(Trace?.System.LostEvents ?? 0, Session?.EventsLost ?? 0),
        LostBuffers = Math.Max(Trace?.System.LostBuffers ?? 0, Session?.BuffersLost ?? 0),
        OutOfOrder = 0,
        IsWhole = IsWhole,
        Remarks = Remarks,
    };
}
