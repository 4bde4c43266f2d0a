using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Redaction;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

namespace TcpDiag.Store.Rows;

/// <summary>What became of a file that was to be added.</summary>
/// <param name="Outcome">What became of it.</param>
/// <param name="File">The file.</param>
/// <param name="Connections">Its connections; null where it was there already, and was not read.</param>
/// <param name="Findings">Its findings; null likewise.</param>
/// <param name="IsComplete">Whether all of it could be read.</param>
public sealed record IntakeResult(AddOutcome Outcome, RecordingFile File, int? Connections, int? Findings, bool IsComplete);

/// <summary>Takes recordings in: known by their bytes, analysed where they are new, and added.</summary>
public static class RecordingIntake
{
    /// <summary>Takes one in.</summary>
    /// <param name="store">Where to.</param>
    /// <param name="path">A trace or a bundle.</param>
    /// <param name="labels">What is known besides.</param>
    /// <param name="cancellation">Ends the work early; nothing is added then.</param>
    /// <returns>What became of it.</returns>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    /// <exception cref="RecordingChangedException">The file was changed while it was read.</exception>
    /// <exception cref="TraceFormatException">It is no trace.</exception>
    /// <exception cref="TraceInputException">It cannot be read.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public static IntakeResult Add(IResultStore store, string path, RecordingLabels labels, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        var file = RecordingFile.Of(path);
        if (store.Expect(ResultKind.Analysis, file.Sha256, RecordingRows.ProgramVersion) == AddOutcome.Kept)
        {
            return new(AddOutcome.Kept, file, null, null, IsComplete: true);
        }

        using var room = new AnalysisRoom();
        using ReadRecording recording = Read(file, labels, store.Key, room, cancellation);
        file.RequireUnchanged(path);
        return new(store.Add(recording.Rows), file, recording.Connections, recording.Findings, recording.IsComplete);
    }

    /// <summary>Reads a recording, to be added with others.</summary>
    /// <returns>Its rows, which are made while they are enumerated; they need the recording.</returns>
    /// <exception cref="StoreException">There is no room for its rows.</exception>
    internal static ReadRecording Read(RecordingFile file, RecordingLabels labels, RedactionKey key, AnalysisRoom room, CancellationToken cancellation)
    {
        var used = new List<IDisposable>();
        try
        {
            var names = new PersonalNames(key, labels.KeepsAddresses);
            used.Add(names);
            return Read(file, labels, names, used, room, cancellation);
        }
        catch (TemporaryFileException exception)
        {
            used.ForEach(one => one.Dispose());
            throw new StoreException(exception.Message, exception); // it is not the recording that is wrong
        }
        catch
        {
            used.ForEach(one => one.Dispose());
            throw;
        }
    }

    static ReadRecording Read(
        RecordingFile file, RecordingLabels labels, PersonalNames names, List<IDisposable> used, AnalysisRoom room, CancellationToken cancellation)
    {
        var bundle = BundleContents.Of(file.Path);
        AnalysisOptions options = AnalysisOptions.Default with { Snapshot = bundle?.Snapshot };
        TraceReader reader = TraceFile.Open(file.Path);
        used.Add(reader);
        if (TraceAnalyzer.Analyze(reader, options, room.Whole(cancellation), cancellation) is { } whole)
        {
            var recording = new AnalyzedRecording(file, whole, reader, bundle);
            return new(used, recording, RecordingRows.Of(recording, labels, names)) { Connections = whole.Connections.Count, Findings = whole.Findings.Count };
        }

        var machine = new RecordedMachine();
        var analysis = PartedAnalysis.Begin(() => TraceFile.Open(file.Path), options, room.Part, machine.Add, cancellation);
        used.Add(analysis);
        var known = new AnalyzedRecording(file, analysis.Trace, analysis.Reader, bundle);
        (ResultRows rows, int findings) = RecordingRows.Of(known, analysis, machine, labels, names, used, cancellation);
        return new(used, known, rows) { Connections = analysis.Count, Findings = findings };
    }

    /// <summary>Adds a recording that was analysed.</summary>
    /// <param name="store">Where to.</param>
    /// <param name="recording">What was read.</param>
    /// <param name="labels">What is known besides.</param>
    /// <param name="paths">Its files, which must still be what they were.</param>
    /// <returns>What became of it.</returns>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    /// <exception cref="RecordingChangedException">A file was changed while it was read.</exception>
    public static AddOutcome Add(IResultStore store, AnalyzedRecording recording, RecordingLabels labels, params string[] paths)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(recording);
        ArgumentNullException.ThrowIfNull(labels);
        recording.File.RequireUnchanged(paths);
        using var names = new PersonalNames(store.Key, labels.KeepsAddresses);
        return store.Add(RecordingRows.Of(recording, labels, names));
    }
}

/// <summary>A recording that was read and is still to be added.</summary>
/// <param name="used">What its rows need; disposed of with it.</param>
/// <param name="recording">What was read.</param>
/// <param name="rows">Its rows.</param>
sealed class ReadRecording(List<IDisposable> used, AnalyzedRecording recording, ResultRows rows) : IDisposable
{
    // What the rows are made of is much: it is not to last as long as whoever still holds this.
    ResultRows? _rows = rows;

    /// <summary>Its file.</summary>
    public RecordingFile File { get; } = recording.File;

    /// <summary>Its rows, made while they are enumerated.</summary>
    /// <exception cref="ObjectDisposedException">It was added already.</exception>
    public ResultRows Rows => _rows ?? throw new ObjectDisposedException(nameof(ReadRecording));

    /// <summary>Its connections.</summary>
    public required int Connections { get; init; }

    /// <summary>Its findings.</summary>
    public required int Findings { get; init; }

    /// <summary>Whether all of it could be read.</summary>
    public bool IsComplete { get; } = recording.IsComplete;

    /// <inheritdoc/>
    public void Dispose()
    {
        _rows = null;
        used.ForEach(one => one.Dispose());
        used.Clear();
    }
}
