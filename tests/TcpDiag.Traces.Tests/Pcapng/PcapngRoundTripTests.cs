using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

/// <summary>Real captures through reader and writer; tshark sees no difference.</summary>
[Trait("Tier", "Behaviour")]
public sealed class PcapngRoundTripTests
{
    static readonly string[] Fields =
    [
        "frame.time_epoch", "frame.len", "frame.cap_len", "frame.protocols", "frame.interface_id", "frame.interface_name", "frame.packet_flags_direction",
        "frame.comment",
        "eth.src", "eth.dst", "ip.src", "ip.dst", "ip.id", "tcp.srcport", "tcp.seq_raw", "tcp.ack_raw", "tcp.len", "udp.srcport", "dns.qry.name",
    ];

    static void Copy(string from, string to)
    {
        using TraceReader reader = TraceFile.Open(from);
        using var writer = new PcapngWriter(File.Create(to));
        var record = default(TraceRecord);
        int interfaces = 0;
        while (reader.TryRead(ref record))
        {
            for (; interfaces < reader.Interfaces.Count; interfaces++)
            {
                writer.WriteInterface(reader.Interfaces[interfaces]);
            }

            if (record.Kind == TraceRecordKind.Packet)
            {
                writer.WritePacket(in record);
            }
            else
            {
                writer.WriteBlock(in record);
            }
        }

        Assert.Empty(reader.Problems);
    }

    static string[] Decode(string path) =>
        [.. ExternalProgram.Run("tshark", ["-r", path, "-n", "-T", "fields", .. Fields.SelectMany(field => new[] { "-e", field })]).Lines];

    // The shared files are read-only and one is zipped, so tshark gets a copy.
    static string Unpacked(string path, string folder)
    {
        string to = Path.Combine(folder, "before.pcapng");
        if (Path.GetExtension(path) is ".zip")
        {
            using ZipArchive archive = ZipFile.OpenRead(path);
            archive.Entries.Single().ExtractToFile(to);
        }
        else
        {
            File.Copy(path, to);
        }

        return to;
    }

    [SharedFact("tshark", "capinfos")]
    public void RealCaptures_ComeThroughPacketForPacket()
    {
        string[] captures =
        [
            .. Directory.GetFiles(SharedFolder.PathOf("traces", "pcap"), "*.pcap*"),
            .. Directory.GetFiles(SharedFolder.PathOf("traces", "windows"), "*.pcapng*", SearchOption.AllDirectories),
        ];
        Assert.True(captures.Length >= 15);
        foreach (string capture in captures)
        {
            DirectoryInfo folder = Directory.CreateTempSubdirectory("tcpdiag-test-");
            try
            {
                string before = Unpacked(capture, folder.FullName);
                string after = Path.Combine(folder.FullName, "after.pcapng");
                Copy(capture, after);

                string[] expected = Decode(before);
                Assert.NotEmpty(expected);
                Assert.Equal(expected, Decode(after));
                Assert.Contains("pcapng", ExternalProgram.Run("capinfos", "-t", after).Output, StringComparison.Ordinal);
            }
            finally
            {
                folder.Delete(recursive: true);
            }
        }
    }
}
