using System;
using System.Linq;
using System.Reflection;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores;
using TcpDiag.Wire;

namespace TcpDiag.Store.Rows;

/// <summary>What is known of a recording besides what is in it.</summary>
/// <param name="Machine">What the user calls the machine; null to tell it by its addresses.</param>
/// <param name="Site">What the user calls the place.</param>
/// <param name="KeepsAddresses">Whether addresses and names are stored as they are.</param>
public sealed record RecordingLabels(string? Machine = null, string? Site = null, bool KeepsAddresses = false);

/// <summary>Makes the rows of recordings.</summary>
public static class RecordingRows
{
    /// <summary>The version that is written into results: that of this program.</summary>
    public static Version ProgramVersion { get; } = VersionOf(typeof(RecordingRows).Assembly);

    /// <summary>The rows of a recording: itself, its connections, their directions, its findings.</summary>
    /// <param name="recording">What was read.</param>
    /// <param name="labels">What is known besides.</param>
    /// <param name="names">How what names somebody is written; in use until the rows have been enumerated.</param>
    /// <returns>The result.</returns>
    public static ResultRows Of(AnalyzedRecording recording, RecordingLabels labels, PersonalNames names)
    {
        ArgumentNullException.ThrowIfNull(recording);
        RecordingSubject subject = SubjectOf(recording, labels, names);
        RowHead head = subject.Head;
        TraceAnalysis analysis = recording.Analysis;
        return new(ResultKind.Analysis, head, ProgramVersion,
        [
            RecordingTable.Map.Rows([subject]),
            ConnectionTable.Map.Rows(analysis.Connections.Select(connection => new ConnectionSubject(head, connection, names))),
            DirectionTable.Map.Rows(analysis.Connections.SelectMany(connection => Directions(head, connection))),
            FindingTable.Map.Rows(analysis.Findings.Select((finding, position) => new FindingSubject(head, position, finding))),
        ]);
    }

    /// <summary>The rows of the scores of a recording's senders.</summary>
    /// <param name="recording">What was read.</param>
    /// <param name="scores">Its scores.</param>
    /// <param name="labels">What is known besides.</param>
    /// <param name="names">How what names somebody is written; in use until the rows have been enumerated.</param>
    /// <returns>The result.</returns>
    public static ResultRows Of(AnalyzedRecording recording, TraceScores scores, RecordingLabels labels, PersonalNames names)
    {
        ArgumentNullException.ThrowIfNull(recording);
        ArgumentNullException.ThrowIfNull(scores);
        RowHead head = SubjectOf(recording, labels, names).Head;
        return new(ResultKind.Score, head, ProgramVersion, [ScoreTable.Map.Rows(scores.Cards.SelectMany(card => ScoreTable.Subjects(head, card)))]);
    }

    static RecordingSubject SubjectOf(AnalyzedRecording recording, RecordingLabels labels, PersonalNames names)
    {
        ArgumentNullException.ThrowIfNull(labels);
        ArgumentNullException.ThrowIfNull(names);
        TraceAnalysis analysis = recording.Analysis;
        var system = RecordedSystem.Of(recording.Reader.System, recording.Bundle);
        var adapter = RecordedAdapter.Of(recording.Reader.Interfaces, recording.Bundle?.Snapshot);
        bool isReal = analysis.Simulation is null; // what no network carried is of no machine
        string? machine = isReal ? names.OfMachine(labels.Machine ?? RecordedMachine.Of(recording.Reader.Interfaces, analysis)) : null;
        long? started = analysis.Packets + analysis.StackEvents > 0 ? Started(analysis) : null;
        var head = new RowHead(recording.File.Sha256, started, machine, labels.Site, system.Platform, system.Build, adapter.Name);
        return new(head, recording, system, adapter);
    }

    // A clock out of range is not known, and belongs to no week.
    static long? Started(TraceAnalysis analysis) => analysis.Start == TraceTime.Earliest || analysis.Start == TraceTime.Latest ? null
        : analysis.Start.Nanoseconds;

    static DirectionSubject[] Directions(RowHead head, Connection connection) =>
        [new(head, connection, IsFromClient: true), new(head, connection, IsFromClient: false)];

    static Version VersionOf(Assembly assembly)
    {
        string? text = assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;
        return Version.TryParse(text?.Split('+', '-')[0], out Version? version) ? version : new Version(0, 0);
    }
}
