using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Bench;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>
/// What tcptrace says of each packet, taken from the graphs it draws: R and O stand at segments in its time-sequence graphs, a tick on the line of
/// acknowledgments and one on that of windows at an acknowledgment that changes neither, and its RTT graphs have a dot for each sample.
/// </summary>
sealed class Tcptrace
{
    readonly Dictionary<(string From, string To, long Microseconds), List<PacketFacts>> _packets;
    readonly Dictionary<long, PacketMarks> _marks = [];

    Tcptrace(Capture capture)
    {
        _packets = capture.Packets.Values.GroupBy(packet => (packet.From.ToString(), packet.To.ToString(), packet.Time.Nanoseconds / 1000))
            .ToDictionary(group => group.Key, group => group.ToList());
    }

    /// <summary>What it says.</summary>
    /// <param name="capture">The capture.</param>
    /// <returns>Its verdicts by frame number, where there is any; and the DSACKs it counts, of which it does not tell the packets.</returns>
    public static (IReadOnlyDictionary<long, PacketMarks> Marks, int Dsacks) Ask(Capture capture)
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-peers").FullName;
        try
        {
            string file = Path.Combine(folder, "capture.pcap");
            using (TraceReader reader = TraceFile.Open(capture.Path))
            {
                PcapFile.Write(file, reader); // it reads no pcapng with events
            }

            IReadOnlyList<string> text = ExternalProgram.Run("tcptrace", "-n", "-l", "-S", "-R", "--output_dir=" + folder, file).Lines;
            var graphs = new Tcptrace(capture);
            foreach (string graph in Directory.EnumerateFiles(folder, "*.xpl").Order(StringComparer.Ordinal))
            {
                graphs.Take(File.ReadAllLines(graph));
            }

            return (graphs._marks, text.Where(line => line.Contains("dsack pkts sent:", StringComparison.Ordinal)).Sum(Counts));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // The title, below the word, names both ends: 10.0.0.1:80_==>_10.0.0.2:443 (time sequence graph).
    void Take(string[] lines)
    {
        string title = lines[Array.IndexOf(lines, "title") + 1];
        string[] ends = [.. title.Split(' ')[0].Split("_==>_").Select(Normal)];
        if (title.EndsWith("(rtt samples)", StringComparison.Ordinal))
        {
            TakeSamples(lines, ends[1], ends[0]);
        }
        else
        {
            TakeSegments(lines, ends[0], ends[1]);
            TakeDuplicates(lines, ends[1], ends[0]);
        }
    }

    void TakeSamples(string[] lines, string from, string to)
    {
        foreach (string[] words in lines.Where(line => line.StartsWith("dot ", StringComparison.Ordinal)).Select(Words))
        {
            Mark(from, to, words[1], PacketMarks.RttSample, packet => packet.Acknowledges is not null);
        }
    }

    void TakeSegments(string[] lines, string from, string to)
    {
        for (int i = 1; i < lines.Length; i++)
        {
            PacketMarks mark = lines[i] switch { "R" => PacketMarks.Retransmission, "O" => PacketMarks.OutOfOrder, _ => PacketMarks.None };
            string[] words = Words(lines[i - 1]);
            if (mark != PacketMarks.None && words.Length > 2)
            {
                uint at = uint.Parse(words[2], CultureInfo.InvariantCulture);
                Mark(from, to, words[1], mark, packet => packet.Payload > 0 && (packet.Sequence.Value == at || (packet.Sequence + packet.Payload).Value == at));
            }
        }
    }

    void TakeDuplicates(string[] lines, string from, string to)
    {
        HashSet<string> sameWindow = [.. lines.Where(line => line.StartsWith("utick ", StringComparison.Ordinal)).Select(line => Words(line)[1])];
        foreach (string[] words in lines.Where(line => line.StartsWith("dtick ", StringComparison.Ordinal)).Select(Words))
        {
            if (sameWindow.Contains(words[1]))
            {
                Mark(from, to, words[1], PacketMarks.DuplicateAck, static packet => packet.Payload == 0);
            }
        }
    }

    void Mark(string from, string to, string time, PacketMarks mark, Predicate<PacketFacts> fits)
    {
        string[] parts = time.Split('.');
        long microseconds = (long.Parse(parts[0], CultureInfo.InvariantCulture) * 1_000_000) + long.Parse(parts[1], CultureInfo.InvariantCulture);
        List<PacketFacts> there = _packets.GetValueOrDefault((from, to, microseconds), []);
        PacketFacts? packet = there.Find(one => fits(one) && (_marks.GetValueOrDefault(one.Number) & mark) == 0);
        if (packet is not null)
        {
            _marks[packet.Number] = _marks.GetValueOrDefault(packet.Number) | mark;
        }
    }

    static string[] Words(string line) => line.Split(' ', StringSplitOptions.RemoveEmptyEntries);

    // dsack pkts sent:  3    dsack pkts sent:  0
    static int Counts(string line) => line.Split("dsack pkts sent:").Skip(1).Sum(part => int.Parse(Words(part)[0], CultureInfo.InvariantCulture));

    static string Normal(string end)
    {
        int colon = end.LastIndexOf(':');
        return IpAddress.TryParse(end[..colon], out IpAddress address)
            ? new Endpoint(address, ushort.Parse(end.AsSpan(colon + 1), CultureInfo.InvariantCulture)).ToString()
            : end;
    }
}
