using System.Linq;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

public sealed class DropCommentTests
{
    [Theory]
    [InlineData("dropped: INET_EndpointNotFound at TCPIP_TL_RCV_TCP_MATCH (1204@0xE0004500)", 1204u, 0xE000_4500u)]
    [InlineData("dropped: reason (4294967295@0x00000000)", 4294967295u, 0u)]
    [InlineData("dropped: reason (with text) (8@0x1)", 8u, 1u)]
    public void TryRead_OwnComment_GivesItsNumbers(string comment, uint reason, uint location)
    {
        Assert.True(DropComment.TryRead(Encoding.UTF8.GetBytes(comment), out PacketDrop drop));
        Assert.Equal(new PacketDrop(reason, location), drop);
    }

    [Theory]
    [InlineData("")]
    [InlineData("dropped: ")]
    [InlineData("dropped: (")]
    [InlineData("dropped: ()")]
    [InlineData("dropped: (1204)")]
    [InlineData("dropped: (@0x1)")]
    [InlineData("dropped: (1@0x)")]
    [InlineData("dropped: (1@0xG)")]
    [InlineData("dropped: (4294967296@0x1)")]
    [InlineData("dropped: (1@0x1FFFFFFFF)")]
    [InlineData("dropped: (1 @0x1)")]
    [InlineData("packets dropped: 3 (1@0x1)")]
    public void TryRead_AnotherComment_IsPassedOver(string comment) =>
        Assert.False(DropComment.TryRead(Encoding.UTF8.GetBytes(comment), out _));
}

public sealed class PcapngRepeatsTests
{
    static (bool IsRepeat, int Appearance)[] Marks(params (uint Interface, ulong Id, byte Content)[] packets)
    {
        var file = new PcapngBytes(bigEndian: false);
        file.Section().Interface(1, 0).Interface(1, 0);
        foreach ((uint at, ulong id, byte content) in packets)
        {
            file.Packet(at, 1, [content], 1, [.. file.Option(5, file.U64(id)), .. PcapngBytes.EndOfOptions()]);
        }

        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));
        return [.. ReadRecords.All(reader).Select(packet => (packet.IsRepeat, (int)packet.Appearance))];
    }

    [Fact]
    public void Mark_SamePacketElsewhere_IsARepeat() =>
        Assert.Equal([(false, 1), (true, 2), (true, 3), (false, 1)], Marks((0, 7, 1), (1, 7, 1), (0, 7, 1), (0, 8, 1)));

    [Fact]
    public void Mark_ChainUnderOneId_IsNoRepeatWhereItIsSeenFirst() =>
        Assert.Equal([(false, 1), (false, 1), (true, 2), (true, 3)], Marks((0, 7, 1), (0, 7, 2), (1, 7, 1), (1, 7, 2)));

    [Fact]
    public void Mark_WithoutId_IsNeverARepeat() => Assert.Equal([(false, 0), (false, 0)], Marks((0, 0, 1), (1, 0, 1)));
}

public sealed class PacketDetailsTests
{
    [Fact]
    public void TryRead_PacketWithoutOptions_HasNothingOfTheOneBefore()
    {
        var file = new PcapngBytes(bigEndian: false);
        file.Section().Interface(1, 0).Packet(
            0, 1, [1], 1,
            [
                .. file.Option(2, file.U32(2)), .. file.Option(5, file.U64(0x1_0000_0002)), .. file.Option(7, [2, .. file.U64(1)]),
                .. file.Option(8, [.. file.U32(1234), .. file.U32(5678)]), .. PcapngBytes.EndOfOptions(),
            ])
            .Packet(0, 2, [2], 1);
        using PcapngReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));
        var record = default(TraceRecord);
        Assert.True(reader.TryRead(ref record));
        Assert.True(record.HasDetails);
        Assert.Equal((PacketDirection.Outbound, 1234u, true), (record.Direction, record.ProcessId, record.IsDropped));
        Assert.NotEqual(0, record.PcapngOptions.Length);

        Assert.True(reader.TryRead(ref record));

        Assert.False(record.HasDetails);
        Assert.Equal((PacketDirection.Unknown, 0u, 0u, false), (record.Direction, record.ProcessId, record.ThreadId, record.IsDropped));
        Assert.Equal((0ul, (ushort)0, (ushort)0, false), (record.PacketId, record.PacketNumber, record.Appearance, record.IsRepeat));
        Assert.Equal((0, 0), (record.PcapngOptions.Length, record.Note.Length));
    }
}
