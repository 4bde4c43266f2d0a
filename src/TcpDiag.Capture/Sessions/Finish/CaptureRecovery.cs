using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions.Finish;

/// <summary>Finishes recordings whose process has gone: stops what still runs, keeps what was recorded, removes the rest.</summary>
public static class CaptureRecovery
{
    /// <summary>Finishes all of them.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="root">Holds the folders of recordings.</param>
    /// <param name="progress">Receives what was found and done.</param>
    /// <param name="time">The clock.</param>
    /// <param name="reserved">Full path of a result that is about to be written, under whose name none of theirs is kept; null for none.</param>
    /// <returns>What became of them. One that cannot be finished stays as it is, and nothing else waits for it.</returns>
    /// <exception cref="CaptureException">Someone other than an administrator can change a folder: its journal must not be trusted.</exception>
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

    // One recording that cannot be finished, e.g. because the disk for its result is gone, must not block the others, nor a new one.
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
            progress.Report($"an earlier recording is not finished: {exception.Message}");
            return false;
        }
    }

    static string? Finish(ICaptureMachine machine, CaptureFolder folder, ICaptureProgress progress, TimeProvider time, string? reserved)
    {
        if (folder.Journal is not [{ Output: { } asked } first, ..] || WindowsEngines.Find(first.Engine) is not { } engine)
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
        progress.Report($"finishing the recording of {first.Utc:u}, whose process has gone");
        RecoveredName name = RecoveredName.Choose(folder, asked, reserved, machine.InheritRights);
        CaptureOutcome outcome = new CaptureFinish(machine, engine, folder, progress, time).Run(StopReasonText.Found, name.Output);
        string? result = outcome.Output ?? name.Collected;
        progress.Report(result is null ? "it had recorded nothing yet" : $"recovered {result}");
        foreach (string remark in outcome.Remarks)
        {
            progress.Report(remark);
        }

        return result;
    }

    // What was being started may run under an unknown file name: it is not stopped, since it may be someone else's, and its output is not removed.
    static void RequireNotUnlisted(ICaptureMachine machine, CaptureEngine engine, CaptureFolder folder, JournalEntry last)
    {
        if (last.Step == CaptureStep.Starting && SessionProbe.Take(machine, engine, folder.TraceFile) is { Ours: null, Foreign: { } other })
        {
            throw new CaptureException($"{other.Name} runs, which may be what was being started in {folder.Path}. It is finished once that session has ended.");
        }
    }

    // What cannot be removed now does no harm.
    static void Remove(CaptureFolder folder, ICaptureProgress progress)
    {
        if (folder.Remove() is { } left)
        {
            progress.Report(left);
        }
    }

    // Without a readable journal it is unknown what to stop and where the result belongs; what was recorded is kept for the user.
    static void Leave(ICaptureMachine machine, CaptureFolder folder, ICaptureProgress progress)
    {
        bool isRecorded = machine.Sessions()?.Any(session => TracePieces.AreOf(session.LogFile, folder.TraceFile)) is true;
        if (isRecorded || TracePieces.Of(folder.TraceFile).Count > 0)
        {
            progress.Report($"{folder.Path} is left as it is: its journal cannot be read. If netsh or pktmon still record, stop them; take what you "
                + "need, as a rule trace.etl, and remove the folder");
        }
        else
        {
            Remove(folder, progress);
        }
    }
}

/// <summary>What became of recordings whose process has gone.</summary>
/// <param name="Results">Full paths of the results that were completed.</param>
/// <param name="Left">How many could not be finished and stay as they are; each was reported.</param>
public sealed record RecoveredCaptures(IReadOnlyList<string> Results, int Left);

/// <summary>
/// The name for the result of a recording whose process has gone: the requested one if it is free, else one beside it. A recording that was being collected
/// continues under the name in its journal, unless another result is about to take that: then what was already collected is moved aside.
/// </summary>
/// <param name="Output">Full path for the result.</param>
/// <param name="Collected">Full path of what was collected before its process went and has its name; null for nothing.</param>
sealed record RecoveredName(string Output, string? Collected)
{
    /// <summary>Chooses the name, and moves aside what would be replaced.</summary>
    /// <param name="folder">The recording.</param>
    /// <param name="asked">Full path of the requested result.</param>
    /// <param name="reserved">Full path of a result that is about to be written; null for none.</param>
    /// <param name="inherit">Gives a moved file the rights of its folder.</param>
    /// <exception cref="IOException">What was collected cannot be moved.</exception>
    public static RecoveredName Choose(CaptureFolder folder, string asked, string? reserved, Func<string, string?> inherit)
    {
        IReadOnlyList<(int Number, string Path)> pieces = TracePieces.Of(folder.TraceFile);
        if (folder.Journal.LastOrDefault(entry => entry.Step == CaptureStep.Collecting)?.Output is not { } begun)
        {
            return new(Free(asked, reserved, pieces), null);
        }

        if (!AreSame(begun, reserved))
        {
            return new(begun, Existing(begun));
        }

        string name = Free(begun, reserved, pieces);
        MoveAside(begun, name, pieces, inherit);
        return new(name, Existing(name));
    }

    // A file there now was written by someone else since, or will be.
    static string Free(string output, string? reserved, IReadOnlyList<(int Number, string Path)> pieces)
    {
        string name = output;
        for (int number = 1; IsTaken(name, reserved, pieces); number++)
        {
            name = Path.Combine(
                Path.GetDirectoryName(output)!,
                FormattableString.Invariant($"{Path.GetFileNameWithoutExtension(output)}-recovered-{number}{Path.GetExtension(output)}"));
        }

        return name;
    }

    // The temporary name too: what another recording has left there may be all of its trace.
    static bool IsTaken(string name, string? reserved, IReadOnlyList<(int Number, string Path)> pieces) =>
        AreSame(name, reserved) || File.Exists(name) || File.Exists(ResultFile.Temporary(name))
            || pieces.Any(piece => File.Exists(TracePieces.NameOf(name, piece.Number)));

    // A single trace, or a bundle, is still in the folder as a whole. Otherwise it lacks only its name, or has it; of several pieces, the first have theirs.
    static void MoveAside(string begun, string name, IReadOnlyList<(int Number, string Path)> pieces, Func<string, string?> inherit)
    {
        bool isBundle = CaptureRequest.IsBundle(begun);
        string[] wholes = isBundle ? [begun] : [ResultFile.Temporary(begun), begun];
        if (pieces.Count == 0 && wholes.FirstOrDefault(File.Exists) is { } whole)
        {
            _ = inherit(whole);
            File.Move(whole, name);
        }
        else if (!isBundle && pieces is not [{ Number: 0 }, ..])
        {
            MovePieces(begun, name, pieces is [var first, ..] ? first.Number : int.MaxValue);
        }
    }

    static void MovePieces(string begun, string name, int end)
    {
        for (int number = 1; number < end && File.Exists(TracePieces.NameOf(begun, number)); number++)
        {
            File.Move(TracePieces.NameOf(begun, number), TracePieces.NameOf(name, number));
        }
    }

    static string? Existing(string output) => new[] { output, TracePieces.NameOf(output, 1) }.FirstOrDefault(File.Exists);

    // As Windows compares paths; on a case-sensitive system too many names count as taken, which is harmless.
    static bool AreSame(string path, string? other) => other is not null
        && string.Equals(Path.GetFullPath(path), Path.GetFullPath(other), StringComparison.OrdinalIgnoreCase);
}
