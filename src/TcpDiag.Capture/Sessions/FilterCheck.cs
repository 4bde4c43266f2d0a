using System;
using System.Collections.Generic;
using TcpDiag.Traces;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Sessions;

/// <summary>
/// Whether a filter did what was asked: told by the packets that it let through, not by what a program says of its filters, which is
/// translated. Only the first packets are looked at: a filter that does not work shows at once.
/// </summary>
static class FilterCheck
{
    const int MaxPackets = 10_000;

    /// <summary>Looks at the first packets of a trace.</summary>
    /// <param name="files">The trace, or its pieces; they open.</param>
    /// <param name="match">Which packets were asked for. A packet does not tell its process, which is not looked at.</param>
    /// <param name="remarks">Takes a sentence if there are others.</param>
    public static void Check(IReadOnlyList<string> files, MatchRule match, ICollection<string> remarks)
    {
        match = match.ForAnyProcess();
        if (match is MatchAll)
        {
            return;
        }

        using TraceReader reader = TraceFile.Open(files);
        var record = default(TraceRecord);
        int seen = 0;
        int others = 0;
        while (seen < MaxPackets && reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet)
            {
                seen++;
                others += IsAskedFor(record, match) ? 0 : 1;
            }
        }

        if (others > 0)
        {
            remarks.Add(FormattableString.Invariant($"{others} of the first {seen} packets were not asked for: the filter let them through. `tcpdiag convert` with --host or --port leaves them out"));
        }
    }

    // Where the direction is not told it may be either.
    static bool IsAskedFor(in TraceRecord record, MatchRule match)
    {
        var packet = default(ParsedPacket);
        if (!PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet))
        {
            return false;
        }

        var facts = new PacketFacts(packet.Protocol, new(packet.Source, packet.SourcePort), new(packet.Destination, packet.DestinationPort));
        return (record.Direction != PacketDirection.Inbound && match.Matches(facts)) || (record.Direction != PacketDirection.Outbound && match.Matches(facts with { IsOut = false }));
    }
}
