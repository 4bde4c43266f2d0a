using TcpDiag.Traces.EtlPackets;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

public sealed class PktMonNamesTests
{
    [Theory]
    [InlineData(8u, 26100, "Filtered")]
    [InlineData(201u, 26100, "Pause")]
    [InlineData(404u, null, "VMBusError")]
    [InlineData(101u, 17763, "Pause")] // numbered 101 in the first build
    [InlineData(204u, 17763, "VMBusError")] // numbered 204 in the first build
    [InlineData(101u, 26100, null)]
    public void ReasonOf_Number_DependsOnTheFirstBuild(uint reason, int? build, string? expected) =>
        Assert.Equal(expected, PktMonNames.ReasonOf(reason, build));

    [Fact]
    public void Describe_UnknownNumbers_ShowsThem() =>
        Assert.Equal("reason (99999@0x00000007)", PktMonNames.Describe(new PacketDrop(99999, 7), 26100));

    [Fact]
    public void Describe_KnownNumbers_NamesThem() =>
        Assert.Equal("Filtered at NDIS_FAKE_FILTER_SEND (8@0xE0001001)", PktMonNames.Describe(new PacketDrop(8, 0xE000_1001), null));
}
