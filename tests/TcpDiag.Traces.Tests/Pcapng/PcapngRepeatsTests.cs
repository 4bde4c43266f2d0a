using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Traces.Tests.Pcapng;

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
