using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;

namespace TcpDiag.Capture.StandIns;

/// <summary>What a session writes: a packet and an event of the TCP stack, or what is scripted instead.</summary>
static class StandInTrace
{
    static readonly Guid TcpIp = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid NdisPacketCapture = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    // Windows reports frames, whatever the capture has: two addresses of the card and the type of IPv4.
    static readonly byte[] IpOverEthernet = [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0];

    const string Extension = ".etl";
    const string AnyNumber = "%d";
    const long NanosecondsPerTick = 100;

    // Headers, as we have recorders cut packets.
    const int MaxFrameBytes = 120;

    // 10 s: what came before was overwritten.
    const long LateTicks = 100_000_000;

    // First and last event of a packet, sent.
    const ulong WholePacketSent = 0x4000_0000 | 0x8000_0000 | 0x1_0000_0000;

    static readonly EtlFileHeader Header = new()
    {
        BufferSize = 4096,
        OsMajorVersion = 10,
        Build = 26100,
        Processors = 1,
        LogFileMode = EtlLogFileModes.Sequential,
        BootFileTime = 134_000_000_000_000_000,
        PerformanceFrequency = 10_000_000,
        StartFileTime = 134_397_302_977_540_455,
        StartTicks = 5_000_000,
        ClockType = EtlClockType.Qpc,
        SessionName = "NetTrace",
        LogFileName = "t.etl",
    };

    /// <summary>The name of a numbered file of a session that begins new ones.</summary>
    /// <param name="path">The session's file.</param>
    /// <param name="number">Its number; null for the name of all of them.</param>
    public static string PieceOf(string path, int? number) =>
        path[..^Extension.Length] + (number?.ToString(CultureInfo.InvariantCulture) ?? AnyNumber) + Extension;

    /// <summary>Writes what a session has recorded: one trace, or three where it begins new files.</summary>
    /// <param name="logFile">What the session says it writes.</param>
    /// <param name="answer">As for <see cref="Write"/>.</param>
    /// <param name="packets">As for <see cref="Write"/>.</param>
    public static void WriteAll(string logFile, string answer, string? packets)
    {
        string? start = logFile.EndsWith(AnyNumber + Extension, StringComparison.Ordinal) ? logFile[..^(AnyNumber + Extension).Length]
            : logFile.EndsWith('1' + Extension, StringComparison.Ordinal) ? logFile[..^('1' + Extension).Length]
            : null;
        string[] files = start is null ? [logFile] : [.. Enumerable.Range(1, 3).Select(number => PieceOf(start + Extension, number))];
        Array.ForEach(files, file => Write(file, answer, packets));
    }

    /// <summary>Writes a trace.</summary>
    /// <param name="path">Where to.</param>
    /// <param name="packets">A capture that has the packets; null for one made packet.</param>
    /// <param name="answer">What kind: partial, empty, garbage-file, growing (packets of a session that still runs), lost, packets-only, events-only, neither,
    /// others (packets nobody asked for), late (long after its start); anything else is a whole one.</param>
    public static void Write(string path, string answer, string? packets)
    {
        byte[] whole = packets is null ? Whole(answer) : Copy(packets, isGrowing: answer is "growing");
        byte[] bytes = answer switch
        {
            "partial" => whole[..(whole.Length - 1000)],
            "empty" => [],
            "garbage-file" => [.. whole.AsSpan(16)],
            _ => whole,
        };
        File.WriteAllBytes(path, bytes);
    }

    static byte[] Whole(string answer)
    {
        long ticks = answer is "late" ? LateTicks : 1;
        using var stream = new MemoryStream();
        using (var writer = new EtlWriter(stream, Header))
        {
            if (answer is not ("events-only" or "neither"))
            {
                writer.Write(Packet(new FrameBuilder().Ip(answer is "others" ? "10.0.0.7" : "10.0.0.1", "10.0.0.2")
                    .Tcp(1000, 443).Seq(1).PayloadLength(10).Build(), ticks), 0);
            }

            if (answer is not ("packets-only" or "neither"))
            {
                writer.Write(Build(new() { Provider = TcpIp, Id = 1332, Level = 4, Ticks = Header.StartTicks + ticks + 1 }, new byte[64]), 0);
            }

            writer.Complete(Header.StartFileTime + ticks + 10_000_000, eventsLost: answer is "lost" ? 7u : 0);
        }

        return stream.ToArray();
    }

    // All that was captured so far, as the capture driver would report it. The writer may be in the middle of a packet.
    static byte[] Copy(string capture, bool isGrowing)
    {
        using var stream = new MemoryStream();
        using (var writer = new EtlWriter(stream, Header))
        using (TraceReader reader = TraceFile.Open(capture))
        {
            TraceTime? begun = null;
            long ticks = 0;
            TraceRecord record = default;
            while (reader.TryRead(ref record))
            {
                begun ??= record.Time;
                ticks = 1 + ((record.Time - begun.Value) / NanosecondsPerTick);
                byte[] link = record.LinkType is LinkType.Raw ? IpOverEthernet : [];
                writer.Write(Packet([.. link, .. record.Data[..Math.Min(record.Data.Length, MaxFrameBytes - link.Length)]], ticks), 0);
            }

            writer.Write(Build(new() { Provider = TcpIp, Id = 1332, Level = 4, Ticks = Header.StartTicks + ticks + 1 }, new byte[64]), 0);
            if (isGrowing)
            {
                writer.Flush();
            }
            else
            {
                writer.Complete(Header.StartFileTime + ticks + 1, eventsLost: 0);
            }
        }

        return stream.ToArray();
    }

    // NDIS-PacketCapture 1001: miniport and lower interface, length, frame.
    static byte[] Packet(byte[] frame, long ticks)
    {
        byte[] payload = [7, 0, 0, 0, 7, 0, 0, 0, (byte)frame.Length, 0, 0, 0, .. frame];
        return Build(new() { Provider = NdisPacketCapture, Id = 1001, Level = 4, Keywords = WholePacketSent, Ticks = Header.StartTicks + ticks }, payload);
    }

    static byte[] Build(EtlRecordHeader header, byte[] payload) => new EtlRecordBuilder().Build(header, payload).ToArray();
}
