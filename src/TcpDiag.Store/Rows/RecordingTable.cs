using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Store.Schema;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Store.Rows;

/// <summary>A recording that was read and analysed to its end.</summary>
/// <param name="File">The file.</param>
/// <param name="Analysis">What was found.</param>
/// <param name="Reader">The reader, at the end of the trace.</param>
/// <param name="Bundle">The rest of the bundle; null for a trace alone.</param>
public sealed record AnalyzedRecording(RecordingFile File, TraceAnalysis Analysis, TraceReader Reader, BundleContents? Bundle)
{
    /// <summary>Whether all of it could be read.</summary>
    public bool IsComplete => Reader.Problems.Count == 0 && Bundle?.Problems is null or { Count: 0 };
}

/// <summary>A recording as a row is made of it.</summary>
/// <param name="Head">What it is.</param>
/// <param name="Recording">What was read.</param>
/// <param name="System">The system it is of.</param>
/// <param name="Adapter">The adapter it was taken at.</param>
/// <param name="Connections">How many connections it has.</param>
/// <param name="Findings">What was found.</param>
sealed record RecordingSubject(
    RowHead Head, AnalyzedRecording Recording, RecordedSystem System, RecordedAdapter Adapter, int Connections, FindingTotals Findings)
{
    public TraceAnalysis Analysis => Recording.Analysis;

    public SystemFacts Facts => Recording.Reader.System;

    public BundleManifest? Manifest => Recording.Bundle?.Manifest;
}

/// <summary>The table of recordings.</summary>
static class RecordingTable
{
    const double NanosPerSecond = 1e9;

    public static TableMap<RecordingSubject> Map { get; } = new TableMap<RecordingSubject>("recording", "a recording: a trace or a bundle", row => row.Head)
        .Text("path", row => row.Recording.File.Path, "where the file was when it was added")
        .Number("bytes", row => row.Recording.File.Bytes, "its length")
        .Word("format", row => row.Manifest is null ? Names.Of(row.Recording.Reader.Format) : "bundle", "etl, pcapng, pcap, bundle")
        .Number("revision", row => row.System.Revision, "revision of the build of Windows (UBR)")
        .Word("driver", row => row.Adapter.Driver, "driver of the adapter")
        .Word("driver_version", row => row.Adapter.DriverVersion, "its version")
        .Word("engine", row => row.Manifest?.Engine, "what recorded: linux, netsh, pktmon, etw")
        .Text("recorder", row => row.Manifest?.Tool ?? row.Facts.Recorder, "program that recorded")
        .Number("duration_ns", row => row.Analysis.Length, "first to last record")
        .Number("packets", row => row.Analysis.Packets, "packets, each capture point counted")
        .Number("tcp_packets", row => row.Analysis.TcpPackets, "TCP packets, each once")
        .Number("repeated_packets", row => row.Analysis.RepeatedPackets, "seen at another capture point too")
        .Number("stack_events", row => row.Analysis.StackEvents, "events of the TCP stack")
        .Number("lost_events", row => row.Facts.LostEvents, "events the recorder lost")
        .Number("lost_buffers", row => row.Facts.LostBuffers, "buffers it lost")
        .Number("dropped_packets", row => Dropped(row.Recording.Reader), "packets it dropped")
        .Number("reported_drops", row => row.Analysis.Drops.Sum(drop => drop.Packets), "drops that the machine reported")
        .Flag("is_complete", row => row.Recording.IsComplete, "all of it could be read")
        .Flag("is_simulated", row => row.Analysis.Simulation is not null, "no network carried it")
        .Number("connections", row => row.Connections, "TCP connections")
        .Number("findings", row => row.Findings.Count, "findings")
        .Word("worst", row => row.Findings.First is { } first ? Names.Of(first.Severity) : null, "severity of the first finding")
        .Word("first_finding", row => row.Findings.First?.Id, "what to mend first")
        .Rounded("lost_ns", row => row.Findings.SecondsLost * NanosPerSecond, "time lost, all findings to mend");

    static long? Dropped(TraceReader reader)
    {
        long?[] counts = [.. reader.Interfaces.Select(one => one.Dropped).Where(count => count is not null)];
        return counts.Length == 0 ? null : counts.Sum();
    }
}
