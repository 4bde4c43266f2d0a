using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Store.Rows;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Store.Ingest;

/// <summary>
/// Takes files in: claims them, reads them, adds them, writes that down. Small ones go together, as a server takes as long for the rows of one as for those of
/// many; one that was claimed before and has come to no end goes by itself, so that it takes no other with it.
/// </summary>
sealed class IngestWorker(IngestSettings settings, IIngestStore store, IWorkLeases leases, IngestCounters counters, CancellationToken stop)
{
    /// <summary>Files that are taken together, at most.</summary>
    public const int MaxFiles = 32;

    /// <summary>Bytes from which on no other file is taken with those before: what was read of them is in memory until it is added.</summary>
    public const long MaxBytes = 4 << 20;

    /// <summary>Takes files in.</summary>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    public void Take(IReadOnlyList<DropFile> files)
    {
        IReadOnlyList<Claim> claims = files.Count > 1 ? leases.ClaimNew(files) : [Claim.Alone];
        Count(() => TakeAll([.. files.Where((_, i) => claims[i] == Claim.Mine)]));
        foreach (DropFile file in files.Where((_, i) => claims[i] == Claim.Alone))
        {
            if (leases.Claim(file) is var claim and (Claim.Mine or Claim.Poison))
            {
                Count(() => TakeClaimed(file, claim));
            }
        }
    }

    void Count(Action work)
    {
        counters.Begin();
        try
        {
            work();
        }
        finally
        {
            counters.End();
        }
    }

    void TakeClaimed(DropFile file, Claim claim)
    {
        if (claim == Claim.Poison)
        {
            Reject(file, "the programs that read it did not come to an end, again and again");
        }
        else
        {
            TakeAll([file]);
        }
    }

    void TakeAll(DropFile[] claimed)
    {
        var files = new List<(DropFile File, RecordingFile Recording)>();
        foreach (DropFile file in claimed)
        {
            if (Tried(file, () => RecordingFile.Of(file.Path)) is { } recording)
            {
                files.Add((file, recording));
            }
        }

        IReadOnlyList<AddOutcome> expected = files.Count > 0 ? store.ExpectAll([.. files.Select(one => one.Recording.Sha256)], RecordingRows.ProgramVersion)
            : [];
        Finish([.. files.Where((_, i) => expected[i] == AddOutcome.Kept).Select(one => (one.File, one.Recording.Sha256, AddOutcome.Kept))]);
        ReadAndAdd([.. files.Where((_, i) => expected[i] != AddOutcome.Kept)]);
    }

    // Together, unless they are large: what was read is in memory until it is added.
    void ReadAndAdd((DropFile File, RecordingFile Recording)[] files)
    {
        var read = new List<(DropFile File, ReadRecording Recording)>();
        using var room = new AnalysisRoom();
        try
        {
            foreach ((DropFile file, RecordingFile recording) in files)
            {
                if (Tried(file, () => Read(recording, room)) is { } one)
                {
                    read.Add((file, one));
                    room.Keep(one.Connections);
                }

                if (room.IsLarge)
                {
                    Add(read);
                    room.Empty();
                }
            }

            Add(read);
        }
        finally
        {
            read.ForEach(one => one.Recording.Dispose());
        }
    }

    void Add(List<(DropFile File, ReadRecording Recording)> read)
    {
        IReadOnlyList<AddOutcome> outcomes = read.Count > 0 ? store.AddAll([.. read.Select(one => one.Recording.Rows)]) : [];
        Finish([.. read.Select((one, i) => (one.File, one.Recording.File.Sha256, outcomes[i]))]);
        read.ForEach(one => one.Recording.Dispose());
        read.Clear();
    }

    ReadRecording Read(RecordingFile file, AnalysisRoom room)
    {
        ReadRecording recording = RecordingIntake.Read(file, settings.Labels, store.Key, room, stop);
        try
        {
            file.RequireUnchanged(file.Path);
            return recording;
        }
        catch
        {
            recording.Dispose();
            throw;
        }
    }

    void Finish((DropFile File, string Source, AddOutcome Outcome)[] files)
    {
        foreach (string before in files.Length > 0 ? leases.Finish([.. files.Select(one => new FinishedFile(one.File, one.Source))]) : [])
        {
            store.Remove(before);
        }

        foreach ((DropFile file, _, AddOutcome outcome) in files)
        {
            counters.Take(outcome, file.Bytes);
            settings.Told?.Invoke(file.Path, outcome.ToString().ToLowerInvariant());
        }
    }

    // Null where the file is not taken in, now or ever.
    T? Tried<T>(DropFile file, Func<T> work)
        where T : class
    {
        try
        {
            return work();
        }
        catch (Exception exception) when (exception is TraceFormatException or TraceInputException or UnauthorizedAccessException)
        {
            Reject(file, exception.Message);
        }
        catch (Exception exception) when (exception is OperationCanceledException or RecordingChangedException or FileNotFoundException
            or DirectoryNotFoundException)
        {
            leases.Release(file); // it is looked at again, if it is still there
            counters.Retry();
        }
        catch (IOException)
        {
            counters.Retry(); // an attempt: a file that never can be read is set aside in the end
        }

        return null;
    }

    void Reject(DropFile file, string reason)
    {
        leases.Reject(file, reason);
        RejectedFiles.SetAside(file, reason);
        counters.Reject();
        settings.Told?.Invoke(file.Path, $"rejected: {reason}");
    }
}
