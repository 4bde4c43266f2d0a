using System;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class PcapngAllocationTests
{
    const int Packets = 50_000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void TryRead_PerPacket_AllocatesNothing(bool bigEndian)
    {
        var packet = new PcapngBytes(bigEndian);
        byte[] one = packet.Packet(0, 1, new byte[120], 1514, [.. packet.Option(2, packet.U32(1)), .. PcapngBytes.EndOfOptions()]).ToArray();
        var file = new MemoryStream();
        file.Write(new PcapngBytes(bigEndian).Section().Interface(1, 0).ToArray());
        for (int i = 0; i < Packets; i++)
        {
            file.Write(one);
        }

        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));
        var record = default(TraceRecord);

        // The first chunk is behind: thread and buffers for reading ahead are there.
        while (reader.RecordsRead < Packets / 2)
        {
            Assert.True(reader.TryRead(ref record));
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        int rest = 0;
        while (reader.TryRead(ref record))
        {
            rest++;
        }

        // Whole bytes per packet: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / rest);
        Assert.Equal(Packets + 2 - (Packets / 2), rest);
    }

    [Fact]
    public void WritePacket_PerPacket_AllocatesNothing()
    {
        using var writer = new PcapngWriter(Stream.Null);
        writer.WriteInterface(new TraceInterface { Index = 0, LinkType = LinkType.Ethernet });
        var record = new TraceRecord
        {
            Data = new byte[120],
            OriginalLength = 1514,
            Direction = PacketDirection.Inbound,
            PacketId = 7,
            IsDropped = true,
            ProcessId = 4,
        };
        Span<byte> buffer = stackalloc byte[64];
        WriteOne(writer, in record, buffer);

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Packets; i++)
        {
            WriteOne(writer, in record, buffer);
        }

        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / Packets);
        Assert.InRange(writer.Length, Packets * 150L, Packets * 300L);
    }

    static void WriteOne(PcapngWriter writer, scoped in TraceRecord record, Span<byte> buffer)
    {
        var options = new PcapngOptionWriter(buffer);
        options.AddComment("PID=4 TID=0");
        writer.WritePacket(in record, options.Written);
    }
}
