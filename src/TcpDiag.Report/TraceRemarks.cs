using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Traces;

namespace TcpDiag.Report;

/// <summary>Says what a trace lacks, and what to add to the command that records it.</summary>
static class TraceRemarks
{
    const int Columns = 80;
    const int DropLines = 5;

    /// <summary>The remarks about a trace.</summary>
    /// <param name="analysis">Its analysis.</param>
    /// <param name="reader">The trace, read to its end.</param>
    /// <returns>Lines of at most 80 columns, those about the machine apart; none when there is nothing to say.</returns>
    public static IEnumerable<string> Of(TraceAnalysis analysis, TraceReader reader)
    {
        foreach (string line in MachineText.Of(analysis.Machine))
        {
            yield return line;
        }

        bool isEtl = reader.Format == TraceFormat.Etl;
        if (analysis.Packets == 0)
        {
            yield return isEtl
                ? "No packets in this trace. To get them, record with\n  netsh trace start capture=yes … or pktmon start --capture"
                : "No packets in this trace.";
        }
        else if (analysis.TcpPackets == 0)
        {
            yield return "There are packets in this trace, but no TCP among them.";
        }

        if (analysis.StackEvents == 0 && isEtl)
        {
            yield return "No events of the TCP stack in this trace. To get them, record with\n  netsh trace start provider=Microsoft-Windows-TCPIP level=5 …";
        }

        if (analysis.RepeatedPackets > 0)
        {
            yield return $"{analysis.RepeatedPackets} packets were captured at several points and count once.";
        }

        if (analysis.Drops.Count > 0)
        {
            yield return Drops(analysis.Drops);
        }

        if (reader.System.LostEvents is > 0 and { } lost)
        {
            yield return $"The recorder lost {lost} events: counts are too low.";
        }

        if (reader.System.LostBuffers is > 0 and { } buffers)
        {
            yield return $"The recorder lost {buffers} buffers of events: counts are too low.";
        }
    }

    // Reasons and places have up to 53 characters each: a line for each pair.
    static string Drops(IReadOnlyList<DropCount> drops)
    {
        long packets = drops.Sum(drop => drop.Packets);
        string noun = packets == 1 ? "packet" : "packets";
        IEnumerable<string> lines = drops.Take(DropLines).Select(drop =>
            "\n" + SafeText.OneLine($"  {drop.Packets} × {drop.Reason}{(drop.Location is null ? string.Empty : $" at {drop.Location}")}", Columns));
        string rest = drops.Count > DropLines ? $"\n  … and {drops.Count - DropLines} more kinds; --json has them all" : string.Empty;
        return $"{packets} {noun} dropped on the recording machine:{string.Concat(lines)}{rest}";
    }
}
