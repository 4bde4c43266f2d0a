using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// The way from a recording that runs to a result with its name and nothing else left. Each part looks at the machine first and
/// does only what is still to do, so that it can begin anywhere: at the end of a recording, or after a crash.
/// </summary>
/// <param name="machine">The machine.</param>
/// <param name="engine">What records.</param>
/// <param name="folder">The recording.</param>
/// <param name="progress">Is told how it goes.</param>
/// <param name="time">The clock.</param>
sealed class CaptureFinish(ICaptureMachine machine, CaptureEngine engine, CaptureFolder folder, ICaptureProgress progress, TimeProvider time)
{
    /// <summary>What was asked for, by which the trace is judged; null after a crash, when only the trace itself is.</summary>
    public CaptureSettings? Settings { get; init; }

    /// <summary>Stops, checks, collects and cleans up.</summary>
    /// <param name="why">Why it stops, for the journal.</param>
    /// <param name="output">Full path of the result; a file of that name is replaced.</param>
    /// <returns>What there is.</returns>
    /// <exception cref="CaptureException">The session cannot be stopped, or the result not be written; what was recorded is kept.</exception>
    public CaptureOutcome Run(string why, string output)
    {
        var remarks = new List<string>();
        Step(CaptureStep.Stopping, why);
        EtwSession? last = Stop(remarks);
        Step(CaptureStep.Stopped);
        RequireWritable(output);
        TraceInspection? trace = TraceCheck.Inspect(TracePath(output), engine.PromisesPackets, remarks);
        if (trace is { Packets: > 0 } && Settings is { } asked)
        {
            AddIf(remarks, ProcessRemark.For(asked.Match));
            FilterCheck.Check(TracePath(output), asked.Match, remarks);
            TraceCheck.CheckRing(TracePath(output), trace, asked.RingTime, remarks);
        }

        Step(CaptureStep.Collecting, output: output);
        string? result = Collect(output, why, remarks);
        Step(CaptureStep.Collected);
        long bytes = result is null ? 0 : FileLength.Of(result);
        folder.Remove();
        return new(result, trace, last, bytes, TraceCheck.IsWhole(trace, engine.PromisesPackets), remarks);
    }

    /// <summary>Stops and removes what half a start has left.</summary>
    /// <exception cref="CaptureException">The session cannot be stopped.</exception>
    public void Abandon()
    {
        Stop([]);
        folder.Remove();
    }

    // Returns what the session told last, before it was stopped.
    EtwSession? Stop(List<string> remarks)
    {
        SessionProbe probe = SessionProbe.Take(machine, engine, folder.TraceFile);
        if (probe.Ours is { } session)
        {
            string? failure = engine.Stop(machine, session.Name, progress.Stopping);
            RequireStopped(session, failure);
            AddIf(remarks, failure);
        }

        // Filters of a recording that is not ours are not ours to remove.
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

        throw new CaptureException(
            $"the recording still runs: {failure ?? $"{engine.Name} says that it has stopped it, but {session.Name} still writes {folder.TraceFile}"}. `tcpdiag capture recover` tries again; `logman stop \"{session.Name}\" -ets` stops it by hand.");
    }

    void RequireWritable(string output)
    {
        if (File.Exists(TracePath(output)) && OutputPlace.WhyNotWritable(output) is { } why)
        {
            throw Kept(why);
        }
    }

    CaptureException Kept(string why) => new(
        $"{why} What was recorded is kept in {folder.Path}: `tcpdiag capture recover` finishes it when the result can be written; else take trace.etl from there and remove the folder.");

    string? Collect(string output, string why, List<string> remarks)
    {
        try
        {
            return CaptureRequest.IsBundle(output) ? CollectBundle(output, why, remarks) : CollectTrace(output);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Kept($"{output} cannot be written: {exception.Message}");
        }
    }

    // After a crash the trace may already lie beside its place, under its temporary name.
    string TracePath(string output) => File.Exists(folder.TraceFile) || !File.Exists(OutputPlace.Temporary(output)) ? folder.TraceFile : OutputPlace.Temporary(output);

    string? CollectTrace(string output)
    {
        string temporary = OutputPlace.Temporary(output);
        if (File.Exists(folder.TraceFile))
        {
            // To another disk this is a copy and a removal: until the copy is whole the trace is still here.
            File.Move(folder.TraceFile, temporary, overwrite: true);
        }

        if (!File.Exists(temporary))
        {
            return null;
        }

        File.Move(temporary, output, overwrite: true);
        return output;
    }

    string? CollectBundle(string output, string why, List<string> remarks)
    {
        if (!File.Exists(folder.TraceFile))
        {
            return null;
        }

        using (var bundle = new BundleWriter(new FileStream(OutputPlace.Temporary(output), FileMode.Create, FileAccess.Write)))
        {
            AddFile(bundle, "trace.etl", BundleManifest.TraceKind, folder.TraceFile);
            AddFile(bundle, "snapshot.json", BundleManifest.SnapshotKind, folder.SnapshotFile);
            AddFile(bundle, "journal.jsonl", BundleManifest.JournalKind, folder.JournalFile);
            bundle.Complete(BundleWriter.Describe(engine.Name, folder.Journal[0].Detail ?? string.Empty, why, remarks, time.GetUtcNow()));
        }

        File.Move(OutputPlace.Temporary(output), output, overwrite: true);
        return output;
    }

    static void AddFile(BundleWriter bundle, string name, string kind, string path)
    {
        if (File.Exists(path))
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            bundle.Add(name, kind, file);
        }
    }

    void Step(CaptureStep step, string? detail = null, string? output = null)
    {
        folder.Write(new(time.GetUtcNow(), step, Output: output, Detail: detail));
        progress.Reached(step);
    }

    static void AddIf(List<string> remarks, string? text)
    {
        if (text is not null)
        {
            remarks.Add(text);
        }
    }
}
