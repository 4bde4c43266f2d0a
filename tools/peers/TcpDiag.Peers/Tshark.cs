using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Testing;

namespace TcpDiag.Peers;

/// <summary>What tshark says of each packet.</summary>
static class Tshark
{
    static readonly (string Field, PacketMarks Mark)[] Fields =
    [
        ("tcp.analysis.retransmission", PacketMarks.Retransmission),
        ("tcp.analysis.out_of_order", PacketMarks.OutOfOrder),
        ("tcp.analysis.duplicate_ack", PacketMarks.DuplicateAck),
        ("tcp.options.sack.dsack", PacketMarks.Dsack),
        ("tcp.analysis.ack_rtt", PacketMarks.RttSample),
    ];

    /// <summary>Its verdicts.</summary>
    /// <param name="path">The capture.</param>
    /// <returns>By frame number, where there is any.</returns>
    public static IReadOnlyDictionary<long, PacketMarks> Ask(string path)
    {
        string[] arguments = ["-r", path, "-Y", "tcp", "-T", "fields", "-E", "occurrence=f", "-e", "frame.number",
            .. Fields.SelectMany(one => new[] { "-e", one.Field })];
        var marks = new Dictionary<long, PacketMarks>();
        foreach (string line in ExternalProgram.Run("tshark", arguments).Lines)
        {
            string[] values = line.Split('\t');
            PacketMarks told = PacketMarks.None;
            for (int i = 1; i < values.Length; i++)
            {
                told |= values[i].Length > 0 ? Fields[i - 1].Mark : PacketMarks.None;
            }

            if (told != PacketMarks.None)
            {
                marks[long.Parse(values[0], CultureInfo.InvariantCulture)] = told;
            }
        }

        return marks;
    }
}
