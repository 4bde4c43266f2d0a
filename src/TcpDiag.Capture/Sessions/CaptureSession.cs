using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Finish;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Triggers;
using TcpDiag.Traces.Bundles;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// One recording on Windows, from the first check to the last bit of clean-up:
/// <code>
/// rights → output file → earlier recordings → disk → someone else's session
/// → Prepared → Starting → Recording → Stopping → Stopped → Collecting → Collected
/// </code>
/// Each step from Prepared on is in the journal before it begins. Whatever ends the process in between, <see cref="CaptureRecovery"/>
/// finishes the rest: it runs the same <see cref="CaptureFinish"/>.
/// </summary>
/// <param name="machine">The machine.</param>
/// <param name="engine">What records.</param>
/// <param name="request">The request.</param>
/// <param name="progress">Receives the progress.</param>
/// <param name="time">The clock.</param>
public sealed class CaptureSession(ICaptureMachine machine, CaptureEngine engine, CaptureRequest request, ICaptureProgress progress, TimeProvider time)
{
    // With less, Windows itself suffers.
    const long DiskReserveBytes = 256L << 20;
    static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(1);

    CaptureEngine _engine = engine;

    // The system may take a moment to list a new session, longer on a busy machine.
    const int ListingAttempts = 15;
    static readonly TimeSpan ListingInterval = TimeSpan.FromMilliseconds(200);

    /// <summary>Records until time, size or cancellation; then stops, collects and cleans up, which is not interrupted.</summary>
    /// <param name="stop">Ends the recording; the result is complete all the same. A recording that has not begun by then never does.</param>
    /// <returns>What was recorded.</returns>
    /// <exception cref="CaptureException">The machine does not let us record, the recording could not be stopped, or its result not be written: then
    /// what was recorded is kept for <see cref="CaptureRecovery"/>.</exception>
    /// <exception cref="OperationCanceledException">Cancelled before it recorded: nothing was started and nothing is left.</exception>
    public CaptureSummary Run(CancellationToken stop)
    {
        CheckRights();
        CheckOutput();
        CaptureRecovery.Run(machine, request.Root, progress, time, request.Output);
        CheckDisk();
        string? room = MakeRoom();
        progress.Chosen(_engine.Name);

        CaptureFolder folder = CaptureFolder.Create(request.Root, time.GetUtcNow(), machine.WhyNotPrivate);
        try
        {
            Write(folder, new(time.GetUtcNow(), CaptureStep.Prepared, _engine.Name, request.Output, request.Settings.Match.ToString()));
            CapturePlan plan = _engine.Plan(request.Settings, folder.TraceFile, machine.Build);
            Prepare(folder, [.. room is null ? (string[])[] : [room], .. plan.Departures], stop);
            using TriggerWatch? watch = TriggerWatch.For(request.Settings, time);
            using IDisposable? events = watch is { NeedsEvents: true } ? machine.Listen(watch) : null;
            FilterProof? proof = Start(folder, plan);
            long begun = time.GetTimestamp();
            DateTimeOffset started = time.GetUtcNow();
            NoteRecording(folder, new(started, CaptureStep.Recording, Detail: proof?.What));
            request.Begun?.Invoke(new(plan.TraceFile, () => Flush(plan.TraceFile)));
            StopReason reason = Watch(folder, begun, watch, stop);
            TimeSpan duration = time.GetElapsedTime(begun);

            var finish = new CaptureFinish(machine, _engine, folder, progress, time) { Settings = request.Settings, Noticed = Noticed(room, plan, proof) };
            CaptureOutcome outcome = finish.Run(StopReasonText.Of(reason, watch?.Firing), request.Output);
            var begin = new TraceTime((started - DateTimeOffset.UnixEpoch).Ticks * 100);
            return outcome.ToSummary(_engine.Name, begin, duration, reason) with { Trigger = watch?.Firing };
        }
        finally
        {
            RemoveUnused(folder);
            folder.Dispose();
        }
    }

    static string[] Noticed(string? room, CapturePlan plan, FilterProof? proof) =>
        [.. room is null ? (string[])[] : [room], .. plan.Departures, .. proof is { IsInForce: false } ? (string[])[proof.What] : []];

    // If another engine will do, someone else's recording is no reason to refuse. Returns a remark: why the other engine records, or what --take-over
    // loses; null for none.
    string? MakeRoom()
    {
        if (request.TakeOver || request.Fallback is null)
        {
            return new ForeignRecording(machine, _engine, progress).Remove(request.TakeOver);
        }

        var free = FreeEngine.Find(machine, _engine, request.Fallback);
        if (free.Refusal is { } refusal)
        {
            throw new CaptureException(refusal);
        }

        _engine = free.Engine;
        if (free.Instead is { } instead)
        {
            progress.Report(instead);
        }

        return free.Instead;
    }

    // An interruption or refusal before a program was started, e.g. of a real-time session for --until, leaves nothing but the folder.
    void RemoveUnused(CaptureFolder folder)
    {
        if (folder.Journal is [] or [.., { Step: CaptureStep.Prepared }] && folder.Remove() is { } left)
        {
            progress.Report(left);
        }
    }

    void CheckRights()
    {
        if (!machine.IsPrivileged)
        {
            throw new CaptureException(
                "recording needs an elevated prompt: start cmd.exe or PowerShell with \"Run as administrator\", or run `gsudo`/`sudo` where Windows "
                    + "has it, then the same command again.");
        }
    }

    void CheckOutput()
    {
        if (ResultFile.WhyNotWritable(request.Output) is { } why)
        {
            throw new CaptureException(why);
        }
    }

    // A bundle on the same disk exists beside the trace for a while; a trace alone is only renamed.
    void CheckDisk()
    {
        bool isSameDisk = string.Equals(Path.GetPathRoot(request.Root), Path.GetPathRoot(request.Output), StringComparison.OrdinalIgnoreCase);
        CheckDisk(request.Root, isSameDisk && CaptureRequest.IsBundle(request.Output) ? 2 : 1);
        CheckDisk(request.Output, 1);
    }

    void CheckDisk(string path, int copies)
    {
        long needed = (request.Settings.MaxBytes * copies) + DiskReserveBytes;
        if (machine.FreeBytes(path) is { } free && free < needed)
        {
            throw new CaptureException(string.Create(
                CultureInfo.InvariantCulture,
                $"{path}: {free >> 20} MiB of disk are free, "
                    + $"{needed >> 20} MiB are needed for a trace of {request.Settings.MaxBytes >> 20} MiB. Free some, or record less with --size."));
        }
    }

    // Before the recording, so that its own queries are not in it.
    void Prepare(CaptureFolder folder, IReadOnlyList<string> known, CancellationToken stop)
    {
        foreach (string sentence in known)
        {
            folder.Write(new(time.GetUtcNow(), CaptureStep.Prepared, Detail: sentence));
        }

        if (request.Snapshot is { } take)
        {
            File.WriteAllBytes(folder.SnapshotFile, SnapshotJson.ToBytes(take(stop)));
        }

        stop.ThrowIfCancellationRequested();
    }

    // Returns the state of its filters; null where it has none.
    FilterProof? Start(CaptureFolder folder, CapturePlan plan)
    {
        Write(folder, new(time.GetUtcNow(), CaptureStep.Starting, Detail: string.Join("; ", plan.Start.Select(command => command.Call))));
        string? refusal = _engine.Start(machine, plan);
        string? failure = refusal ?? WhyNotListed(plan);
        if (failure is null)
        {
            return plan.HasFilters ? ProveFilters(plan) : null;
        }

        // Nothing of value was recorded; what the failed start has left is removed.
        new CaptureFinish(machine, _engine, folder, progress, time).Abandon(refusal is null ? plan.Session?.Name ?? _engine.Name : null);
        throw new CaptureException($"the recording did not start: {failure}");
    }

    // A recording that the journal does not mention would never be cleaned up.
    void NoteRecording(CaptureFolder folder, JournalEntry entry)
    {
        try
        {
            folder.Write(entry);
        }
        catch (IOException exception)
        {
            new CaptureFinish(machine, _engine, folder, progress, time).Abandon(null);
            throw new CaptureException($"the recording was given up: {folder.JournalFile} cannot be written: {exception.Message}");
        }

        progress.Reached(entry.Step);
    }

    FilterProof ProveFilters(CapturePlan plan)
    {
        FilterProof proof = _engine.ProveFilters(machine, plan);
        if (proof.IsInForce is false)
        {
            progress.Report(proof.What);
        }

        return proof;
    }

    string? WhyNotListed(CapturePlan plan)
    {
        using var pause = new ManualResetEventSlim();
        for (int attempt = 0; attempt < ListingAttempts; attempt++)
        {
            if (SessionProbe.Take(machine, _engine, plan.TraceFile).Ours is not null)
            {
                return null;
            }

            _ = pause.Wait(ListingInterval);
        }

        return $"{_engine.Name} says that it records, but no session writes {plan.TraceFile}";
    }

    void Flush(string traceFile)
    {
        if (machine.Sessions() is not null && SessionProbe.Take(machine, _engine, traceFile).Ours is { } session)
        {
            machine.FlushSession(session.Name);
        }
    }

    StopReason Watch(CaptureFolder folder, long begun, TriggerWatch? watch, CancellationToken stop)
    {
        bool listsSessions = machine.Sessions() is not null;
        while (!stop.WaitHandle.WaitOne(Min(WatchInterval, request.Settings.Duration - time.GetElapsedTime(begun))))
        {
            EtwSession? session = listsSessions ? SessionProbe.Take(machine, _engine, folder.TraceFile).Ours : null;
            long bytes = Math.Max(session?.BytesWritten ?? 0, listsSessions && !request.Settings.IsSplit ? 0 : TracePieces.Length(folder.TraceFile));
            TimeSpan elapsed = time.GetElapsedTime(begun);
            progress.Recording(elapsed, bytes, session?.EventsLost, session?.BuffersLost);
            if (watch?.HasEnded(request.Settings.After) is true)
            {
                return StopReason.Trigger;
            }

            if (WhyStop(elapsed, bytes, folder, hasEnded: listsSessions && session is null) is { } reason)
            {
                return reason;
            }
        }

        return StopReason.Stopped;
    }

    StopReason? WhyStop(TimeSpan elapsed, long bytes, CaptureFolder folder, bool hasEnded)
    {
        if (elapsed >= request.Settings.Duration)
        {
            return StopReason.Duration;
        }

        if (!request.Settings.IsRing && bytes >= request.Settings.MaxBytes)
        {
            return StopReason.Size;
        }

        if (hasEnded)
        {
            return StopReason.Ended;
        }

        return machine.FreeBytes(folder.Path) < DiskReserveBytes ? StopReason.Disk : null;
    }

    void Write(CaptureFolder folder, JournalEntry entry)
    {
        folder.Write(entry);
        progress.Reached(entry.Step);
    }

    static TimeSpan Min(TimeSpan first, TimeSpan second) => second < TimeSpan.Zero ? TimeSpan.Zero : first < second ? first : second;
}
