using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Generation;

/// <summary>
/// Writes the headers of one segment after the other into the same buffer: Ethernet, IPv4, TCP with timestamps and at most one SACK
/// block. Checksums are left 0, as where hardware fills them in.
/// </summary>
sealed class SyntheticFrame
{
    /// <summary>Payload of a full segment in bytes.</summary>
    public const int SegmentBytes = 1_448;

    const int IpStart = 14;
    const int TcpStart = IpStart + 20;
    const int OptionsStart = TcpStart + 20;
    const uint ServerAddress = 0xC0A8_0001; // 192.168.0.1
    const uint FirstClientAddress = 0x0A00_0000; // 10.0.0.0
    const ushort ServerPort = 443;

    readonly int _clients;
    readonly byte[] _bytes = new byte[OptionsStart + 40];
    int _length;

    /// <summary>Fixed fields, once.</summary>
    /// <param name="clients">Clients whose addresses connections have in turn.</param>
    public SyntheticFrame(int clients = int.MaxValue)
    {
        _clients = clients;
        _bytes.AsSpan(0, 6).Fill(2);
        _bytes.AsSpan(6, 6).Fill(4);
        Write16(12, 0x0800);
        _bytes[IpStart] = 0x45;
        _bytes[IpStart + 8] = 64;
        _bytes[IpStart + 9] = 6;
    }

    /// <summary>The captured bytes: all headers.</summary>
    public ReadOnlySpan<byte> Headers => _bytes.AsSpan(0, _length);

    /// <summary>Bytes on the wire.</summary>
    public int FrameLength { get; private set; }

    /// <summary>Writes a segment.</summary>
    public void Write(int connection, in SyntheticSegment segment)
    {
        WriteEnds(connection, segment.IsFromServer);
        Write32(TcpStart + 4, segment.Sequence.Value);
        Write32(TcpStart + 8, segment.Acknowledgment.Value);
        _bytes[TcpStart + 13] = (byte)segment.Flags;
        Write16(TcpStart + 14, 0xFFFF);
        _length = WriteOptions(segment);
        _bytes[TcpStart + 12] = (byte)((_length - TcpStart) / 4 << 4);
        FrameLength = _length + segment.Payload;
        Write16(IpStart + 2, (ushort)(FrameLength - IpStart));
    }

    void WriteEnds(int connection, bool isFromServer)
    {
        uint client = FirstClientAddress + (uint)(connection % _clients);
        ushort port = (ushort)(1024 + (connection % 60_000));
        Write32(IpStart + 12, isFromServer ? ServerAddress : client);
        Write32(IpStart + 16, isFromServer ? client : ServerAddress);
        Write16(TcpStart, isFromServer ? ServerPort : port);
        Write16(TcpStart + 2, isFromServer ? port : ServerPort);
    }

    // Returns where the headers end.
    int WriteOptions(in SyntheticSegment segment)
    {
        int at = OptionsStart;
        Write32(at, 0x0101_080A); // NOP, NOP, timestamps
        Write32(at + 4, segment.Timestamp);
        Write32(at + 8, segment.Echo);
        at += 12;
        if ((segment.Flags & TcpFlags.Syn) != 0)
        {
            Write32(at, 0x0204_05B4); // MSS 1460
            Write32(at + 4, 0x0402_0101); // SACK permitted, NOP, NOP
            Write32(at + 8, 0x0103_0307); // NOP, window scale 7
            return at + 12;
        }

        if (segment.Sack is { } block)
        {
            Write32(at, 0x0101_050A); // NOP, NOP, one block
            Write32(at + 4, block.Left.Value);
            Write32(at + 8, block.Right.Value);
            at += 12;
        }

        return at;
    }

    void Write16(int at, ushort value) => BinaryPrimitives.WriteUInt16BigEndian(_bytes.AsSpan(at), value);

    void Write32(int at, uint value) => BinaryPrimitives.WriteUInt32BigEndian(_bytes.AsSpan(at), value);
}
