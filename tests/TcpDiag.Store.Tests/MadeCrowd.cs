using System;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Testing;
using static TcpDiag.Testing.FrameBuilder;

namespace TcpDiag.Store.Tests;

/// <summary>
/// A capture of many connections of every kind: of few hosts and of many, open ones, ended ones whose packets come late, reset ones, SYNs that were sent
/// again, ports that are used again, and such of which one direction was captured.
/// </summary>
static class MadeCrowd
{
    const int Kinds = 7;
    const int Steps = 11;
    const long NanosecondMagic = 0xA1B2_3C4D;

    /// <summary>A file in the format of tcpdump.</summary>
    /// <param name="connections">About how many.</param>
    public static byte[] Pcap(int connections)
    {
        using var file = new MemoryStream();
        Span<byte> header = stackalloc byte[24];
        BinaryPrimitives.WriteUInt32LittleEndian(header, (uint)NanosecondMagic);
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], 0x0004_0002); // version 2.4
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], ushort.MaxValue);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], 1); // Ethernet
        file.Write(header);
        for (int step = 0; step < Steps; step++)
        {
            for (int i = 0; i < connections; i++)
            {
                if (Frame(i, step) is { } frame)
                {
                    Write(file, (step * 800_000_000L) + (i * 300_000L), frame.Build()); // the last steps are seconds behind the end of most
                }
            }
        }

        return file.ToArray();
    }

    static FrameBuilder? Frame(int i, int step) => (i % Kinds, step) switch
    {
        (6, 0 or 1 or 3) => null, // of one direction nothing was captured
        (_, 0) => Client(i, 0, 0).Flags(Syn).Mss(1460),
        (2, 1) => Client(i, 0, 0).Flags(Syn).Mss(1460), // sent again
        (_, 1) => null,
        (_, 2) => Server(i, 0, 1).Flags(Syn | Ack).Mss(1460),
        (_, 3) => Client(i, 1, 1),
        (_, 4) when i % Kinds is not 6 => Client(i, 1, 1).Flags(Psh | Ack).PayloadLength(100),
        (1, 5) => Server(i, 1, 101).Flags(Rst | Ack),
        (3, 5) => Client(i, 101, 1).Flags(Fin | Ack),
        (3, 6) => Server(i, 1, 102).Flags(Fin | Ack),
        (3, 7) => Client(i, 102, 2),
        (3, 8) => Client(i, 5_000_000, 0).Flags(Syn).Mss(1460), // the port is used again, and the server does not answer
        (3, 9) => Client(i, 5_000_000, 0).Flags(Syn).Mss(1460),
        (1, 10) => Client(i, 101, 1).Flags(Psh | Ack).PayloadLength(50), // long after the end
        (4 or 6, 5) => Server(i, 1, 101).PayloadLength(200),
        (5, 6) => Client(i, 1, 1).Flags(Psh | Ack).PayloadLength(100), // sent again
        (0, 7) => Client(i, 101, 1).Flags(Fin | Ack),
        _ => null,
    };

    // Every third of them is between the same two hosts.
    static string Host(int i) => i % 3 == 0 ? "10.9.9.9" : FormattableString.Invariant($"10.1.{i / 250 % 250}.{1 + (i % 250)}");

    static FrameBuilder Client(int i, uint seq, uint ack) => new FrameBuilder().Ip(Host(i), "10.0.0.2").Tcp((ushort)(2_000 + i), 443).Seq(seq).AckNumber(ack);

    static FrameBuilder Server(int i, uint seq, uint ack) => new FrameBuilder().Ip("10.0.0.2", Host(i)).Tcp(443, (ushort)(2_000 + i)).Seq(seq).AckNumber(ack);

    static void Write(MemoryStream file, long nanos, byte[] frame)
    {
        Span<byte> header = stackalloc byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(header, 1_700_000_000 + (uint)(nanos / 1_000_000_000));
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], (uint)(nanos % 1_000_000_000));
        BinaryPrimitives.WriteInt32LittleEndian(header[8..], frame.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], frame.Length);
        file.Write(header);
        file.Write(frame);
    }
}
