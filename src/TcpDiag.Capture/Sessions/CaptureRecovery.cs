using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions;

/// <summary>Finishes recordings whose process has gone: stops what still runs, keeps what was recorded, removes the rest.</summary>
public static class CaptureRecovery
{
    /// <summary>Finishes all of them.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="root">Holds the folders of recordings.</param>
    /// <param name="progress">Is told what was found and done.</param>
    /// <param name="time">The clock.</param>
    /// <param name="reserved">Full path of a result that is about to be written, under whose name none of theirs is kept; null for none.</param>
    /// <returns>What became of them. One that cannot be finished stays as it is, and nothing else waits for it.</returns>
    /// <exception cref="CaptureException">Others than administrators can change a folder: what its journal says must not be done.</exception>
    public static RecoveredCaptures Run(ICaptureMachine machine, string root, ICaptureProgress progress, TimeProvider time, string? reserved = null)
    {
        ArgumentNullException.ThrowIfNull(machine);
        ArgumentNullException.ThrowIfNull(progress);
        OrphanSessions.Stop(machine);
        var results = new List<string>();
        int left = 0;
        foreach (CaptureFolder folder in CaptureFolder.TakeLeft(root, machine.WhyNotPrivate))
        {
            using (folder)
            {
                left += TryFinish(machine, folder, progress, time, reserved, results) ? 0 : 1;
            }
        }

        return new(results, left);
    }

    // One recording that cannot be finished, e.g. because the disk for its result is gone, must not keep the others, nor a new one, from theirs.
    static bool TryFinish(ICaptureMachine machine, CaptureFolder folder, ICaptureProgress progress, TimeProvider time, string? reserved, List<string> results)
    {
        try
        {
            if (Finish(machine, folder, progress, time, reserved) is { } result)
            {
                results.Add(result);
            }

            return true;
        }
        catch (Exception exception) when (exception is CaptureException or IOException or UnauthorizedAccessException)
        {
            progress.Tell($"an earlier recording is not finished: {exception.Message}");
            return false;
        }
    }

    static string? Finish(ICaptureMachine machine, CaptureFolder folder, ICaptureProgress progress, TimeProvider time, string? reserved)
    {
        if (folder.Journal is not [{ Output: { } asked } first, ..] || Engines.Find(first.Engine) is not { } engine)
        {
            Leave(machine, folder, progress);
            return null;
        }

        JournalEntry last = folder.Journal[^1];
        if (last.Step is CaptureStep.Prepared or CaptureStep.Collected)
        {
            Remove(folder, progress);
            return null;
        }

        RequireNotUnlisted(machine, engine, folder, last);
        progress.Tell($"finishing the recording of {first.Utc:u}, whose process has gone");
        RecoveredName name = RecoveredName.Choose(folder, asked, reserved, machine.InheritRights);
        CaptureOutcome outcome = new CaptureFinish(machine, engine, folder, progress, time).Run(StopReasonText.Found, name.Output);
        string? result = outcome.Output ?? name.Collected;
        progress.Tell(result is null ? "it had recorded nothing yet" : $"recovered {result}");
        foreach (string remark in outcome.Remarks)
        {
            progress.Tell(remark);
        }

        return result;
    }

    // What was being started may run under a file name that we do not know: it is not stopped, for it may be somebody else's, and what it may write is not removed.
    static void RequireNotUnlisted(ICaptureMachine machine, CaptureEngine engine, CaptureFolder folder, JournalEntry last)
    {
        if (last.Step == CaptureStep.Starting && SessionProbe.Take(machine, engine, folder.TraceFile) is { Ours: null, Foreign: { } other })
        {
            throw new CaptureException($"{other.Name} runs, which may be what was being started in {folder.Path}. It is finished once that session has ended.");
        }
    }

    // What cannot be removed now is in nobody's way.
    static void Remove(CaptureFolder folder, ICaptureProgress progress)
    {
        if (folder.Remove() is { } left)
        {
            progress.Tell(left);
        }
    }

    // Without a journal that can be read nothing tells what to stop and where the result belongs; what was recorded is kept for people.
    static void Leave(ICaptureMachine machine, CaptureFolder folder, ICaptureProgress progress)
    {
        bool isRecorded = machine.Sessions()?.Any(session => TracePieces.AreOf(session.LogFile, folder.TraceFile)) is true;
        if (isRecorded || TracePieces.Of(folder.TraceFile).Count > 0)
        {
            progress.Tell($"{folder.Path} is left as it is: its journal cannot be read. If netsh or pktmon still record, stop them; take what you need, as a rule trace.etl, and remove the folder");
        }
        else
        {
            Remove(folder, progress);
        }
    }
}
