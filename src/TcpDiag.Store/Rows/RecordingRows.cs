using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Threading;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Memory;
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
        IReadOnlyList<Connection> connections = recording.Analysis.Connections;
        IEnumerable<FindingFigures> findings = recording.Analysis.Findings.Select(FindingFigures.Of);
        return Of(subject, ConnectionsOf(subject.Head, connections, names), DirectionsOf(subject.Head, connections), findings);
    }

    /// <summary>The rows of a recording that is analysed in parts. Those of connections are written to files first, as each part is read.</summary>
    /// <param name="recording">What is known of all of it.</param>
    /// <param name="analysis">Its parts.</param>
    /// <param name="machine">Who recorded it.</param>
    /// <param name="labels">What is known besides.</param>
    /// <param name="names">How what names somebody is written.</param>
    /// <param name="files">Takes the files, which must last as long as the rows.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>The result, and how many findings it has.</returns>
    internal static (ResultRows Rows, int Findings) Of(
        AnalyzedRecording recording, PartedAnalysis analysis, RecordedMachine machine, RecordingLabels labels, PersonalNames names, List<IDisposable> files,
        CancellationToken cancellation)
    {
        RowHead head = HeadOf(recording, machine, labels, names);
        var connections = new RowFile(ConnectionTable.Map.Table);
        files.Add(connections);
        var directions = new RowFile(DirectionTable.Map.Table);
        files.Add(directions);
        var findings = new SortedRuns<FindingFigures>(FindingOrder.Comparer);
        files.Add(findings);
        FindingFigures[] ofAll = [.. recording.Analysis.Findings.Select(FindingFigures.Of)];
        FindingOrder.Sort(ofAll);
        findings.Add(ofAll);
        for (int part = 0; part < analysis.Parts; part++)
        {
            AddPart(analysis.Read(part, cancellation));
        }

        SpentMemory.GiveBack(analysis.Count);
        IEnumerable<FindingFigures> sorted = findings.Merge().Select(one => one.Record);
        RecordingSubject subject = SubjectOf(recording, head, analysis.Count, FindingTotals.Of(sorted));
        return (Of(subject, connections.Rows(), directions.Rows(), sorted), subject.Findings.Count);

        void AddPart(AnalysisPart part)
        {
            SpentMemory.GiveBack(part.Connections.Count); // to make rows takes memory, too
            using PersonalNames ofPart = names.Anew(); // they remember every address that they have met
            connections.Add(ConnectionsOf(head, part.Connections, ofPart).Rows);
            directions.Add(DirectionsOf(head, part.Connections).Rows);
            findings.Add(part.Findings.Span);
        }
    }

    static ResultRows Of(RecordingSubject subject, RowBatch connections, RowBatch directions, IEnumerable<FindingFigures> findings) =>
        new(ResultKind.Analysis, subject.Head, ProgramVersion,
    [
        RecordingTable.Map.Rows([subject]), connections, directions,
        FindingTable.Map.Rows(findings.Select((finding, position) => new FindingSubject(subject.Head, position, finding))),
    ]);

    static RowBatch ConnectionsOf(RowHead head, IEnumerable<Connection> connections, PersonalNames names) =>
        ConnectionTable.Map.Rows(connections.Select(connection => new ConnectionSubject(head, connection, names)));

    static RowBatch DirectionsOf(RowHead head, IEnumerable<Connection> connections) =>
        DirectionTable.Map.Rows(connections.SelectMany(connection => Directions(head, connection)));

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
        var machine = new RecordedMachine();
        foreach (Connection connection in recording.Analysis.Connections)
        {
            machine.Add(connection);
        }

        RowHead head = HeadOf(recording, machine, labels, names);
        return SubjectOf(recording, head, recording.Analysis.Connections.Count, FindingTotals.Of(recording.Analysis.Findings.Select(FindingFigures.Of)));
    }

    static RecordingSubject SubjectOf(AnalyzedRecording recording, RowHead head, int connections, in FindingTotals findings)
    {
        var system = RecordedSystem.Of(recording.Reader.System, recording.Bundle);
        var adapter = RecordedAdapter.Of(recording.Reader.Interfaces, recording.Bundle?.Snapshot);
        return new(head, recording, system, adapter, connections, findings);
    }

    static RowHead HeadOf(AnalyzedRecording recording, RecordedMachine machine, RecordingLabels labels, PersonalNames names)
    {
        ArgumentNullException.ThrowIfNull(labels);
        ArgumentNullException.ThrowIfNull(names);
        TraceAnalysis analysis = recording.Analysis;
        var system = RecordedSystem.Of(recording.Reader.System, recording.Bundle);
        var adapter = RecordedAdapter.Of(recording.Reader.Interfaces, recording.Bundle?.Snapshot);
        bool isReal = analysis.Simulation is null; // what no network carried is of no machine
        string? name = isReal ? names.OfMachine(labels.Machine ?? machine.Of(recording.Reader.Interfaces)) : null;
        long? started = analysis.Packets + analysis.StackEvents > 0 ? Started(analysis) : null;
        return new RowHead(recording.File.Sha256, started, name, labels.Site, system.Platform, system.Build, adapter.Name);
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
