using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

namespace TcpDiag.Peers;

/// <summary>tcpdiag beside tshark and tcptrace over the same captures, packet by packet.</summary>
public sealed class PeerReport
{
    static readonly PacketMarks[] Columns = [PacketMarks.Retransmission, PacketMarks.OutOfOrder, PacketMarks.DuplicateAck, PacketMarks.Dsack,
        PacketMarks.RttSample];

    readonly List<Comparison> _comparisons = [];

    /// <summary>Packets in which the programs differ and no reason is known, a line each.</summary>
    public IReadOnlyList<string> Unexplained =>
    [
        .. _comparisons.SelectMany(one => one.Differences().Where(difference => Explanations.Of(difference) is null)
            .Select(difference => $"{one.Name}, {one.Peer}, {difference}")),
        .. _comparisons.Where(one => one.Dsacks is { } dsacks
            && dsacks != one.Counts(PacketMarks.Dsack).Own).Select(one => $"{one.Name}, {one.Peer}, DSACKs {one.Counts(PacketMarks.Dsack)}"),
    ];

    /// <summary>Compares captures.</summary>
    /// <param name="paths">pcap or pcapng files.</param>
    /// <returns>The report.</returns>
    public static PeerReport Of(IEnumerable<string> paths)
    {
        var report = new PeerReport();
        foreach (string path in paths)
        {
            string name = Path.GetFileNameWithoutExtension(path);
            var capture = Capture.Read(path);
            report._comparisons.Add(new(name, "tshark", capture, Tshark.Ask(path), null));
            (IReadOnlyDictionary<long, PacketMarks> marks, int dsacks) = Tcptrace.Ask(capture);
            report._comparisons.Add(new(name, "tcptrace", capture, marks, dsacks));
        }

        return report;
    }

    /// <summary>The counts, and for each reason the packets.</summary>
    /// <returns>Markdown.</returns>
    public string ToMarkdown() => string.Join('\n', [.. Counts(), string.Empty, .. Reasons()]) + "\n";

    /// <summary>A line for each capture and program: packets of which tcpdiag says a thing, and of which the other one does.</summary>
    /// <returns>Rows of a Markdown table, with its heading.</returns>
    public IEnumerable<string> Counts()
    {
        yield return "| capture | beside | retransmissions | out of order | duplicate ACKs | DSACKs | RTT samples |";
        yield return "|---|---|---|---|---|---|---|";
        foreach (Comparison one in _comparisons)
        {
            IEnumerable<string> cells = Columns.Select(column => string.Create(CultureInfo.InvariantCulture,
                $"{one.Counts(column).Own} {one.Counts(column).Peer}"));
            yield return $"| {one.Name} | {one.Peer} | {string.Join(" | ", cells)} |";
        }
    }

    /// <summary>The reasons, each with the packets it explains.</summary>
    /// <returns>Lines of Markdown.</returns>
    public IEnumerable<string> Reasons()
    {
        var explained = _comparisons.SelectMany(one => one.Differences().Select(difference => (one, difference, Reason: Explanations.Of(difference))))
            .Where(entry => entry.Reason is not null).GroupBy(entry => entry.Reason!).OrderBy(group => Explanations.Order(group.Key));
        foreach (var group in explained)
        {
            yield return $"**{group.Key.Title}** ({(group.Key.IsPeerWrong ? "the other is wrong" : "another meaning")}). {group.Key.Text}";
            yield return string.Empty;
            foreach (var packets in group.GroupBy(entry => (entry.one.Name, entry.one.Peer)))
            {
                yield return $"- {packets.Key.Name}, {packets.Key.Peer}: {Ranges(packets.Select(entry => entry.difference.Packet.Number))}";
            }

            yield return string.Empty;
        }
    }

    // 3, 5–7
    static string Ranges(IEnumerable<long> numbers)
    {
        var text = new StringBuilder();
        long[] sorted = [.. numbers.Order()];
        for (int i = 0; i < sorted.Length; i++)
        {
            int end = i;
            while (end + 1 < sorted.Length && sorted[end + 1] == sorted[end] + 1)
            {
                end++;
            }

            text.Append(text.Length > 0 ? ", " : string.Empty).Append(CultureInfo.InvariantCulture, $"{sorted[i]}");
            text.Append(end > i ? string.Create(CultureInfo.InvariantCulture, $"{(end > i + 1 ? "–" : ", ")}{sorted[end]}") : string.Empty);
            i = end;
        }

        return text.ToString();
    }
}
