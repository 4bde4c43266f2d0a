using System;
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

        using ReadRecording recording = Read(file, labels, store.Key, cancellation);
        file.RequireUnchanged(path);
        return new(store.Add(recording.Rows), file, recording.Connections, recording.Findings, recording.IsComplete);
    }

    /// <summary>Reads a recording, to be added with others.</summary>
    /// <returns>Its rows, which are made while they are enumerated; they need the recording.</returns>
    internal static ReadRecording Read(RecordingFile file, RecordingLabels labels, RedactionKey key, CancellationToken cancellation)
    {
        var bundle = BundleContents.Of(file.Path);
        TraceReader reader = TraceFile.Open(file.Path);
        var names = new PersonalNames(key, labels.KeepsAddresses);
        try
        {
            TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, AnalysisOptions.Default with { Snapshot = bundle?.Snapshot }, cancellation);
            var recording = new AnalyzedRecording(file, analysis, reader, bundle);
            return new(reader, names, RecordingRows.Of(recording, labels, names))
            {
                File = file,
                Connections = analysis.Connections.Count,
                Findings = analysis.Findings.Count,
                IsComplete = recording.IsComplete,
            };
        }
        catch
        {
            names.Dispose();
            reader.Dispose();
            throw;
        }
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
