using TcpDiag.Impairment.Profiles;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Rates;

public class OverheadTests
{
    [Theory]
    [InlineData("ethernet", 1500, 1538)]
    [InlineData("ethernet", 40, 84)]
    [InlineData("ethernet", 46, 84)] // the shortest frame holds 46 bytes
    [InlineData("ethernet", 47, 85)]
    [InlineData("18b", 1500, 1518)]
    [InlineData("18b:min:64b", 40, 64)]
    [InlineData("8b:atm", 40, 53)] // 48 bytes: one cell
    [InlineData("8b:atm", 41, 106)]
    [InlineData("40b:atm", 1500, 1749)] // 1540/48 = 32.1: 33 cells
    public void OnWire_Packet_HasSoManyBytes(string overhead, int packet, int wire) =>
        Assert.Equal(wire, Settings($"overhead {overhead}").Out.Before.Overhead.OnWire(packet));

    [Fact]
    public void Rate_CountsTheOverhead_TheQueueDoesNot()
    {
        // 12.304 Mbit/s = 1538 bytes a ms; two packets wait in 3000 bytes, the fourth does not.
        VirtualLink link = new("rate 12304kbit", "overhead ethernet", "buffer 3000b");
        for (int i = 0; i < 4; i++)
        {
            link.Offer(0);
        }

        link.Drain();
        Assert.Equal([1 * Ms, 2 * Ms, 3 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Rate_BehindAManagedQueue_CountsItAsWell()
    {
        VirtualLink link = new("rate 12304kbit", "overhead ethernet", "aqm codel");
        link.Offer(0);
        link.Offer(0);

        Assert.Equal([1 * Ms, 2 * Ms], link.Drain().ArrivalTimes);
    }

    [Theory]
    [InlineData("aqm", "red", "--aqm: expected fifo, codel, fq_codel or pie, as in codel:5ms:100ms or fq_codel:ecn, found 'red' in 'red'.")]
    [InlineData("aqm", "codel:0ms", "--aqm: expected times of at least 1us, found 'something else' in 'codel:0ms'.")]
    [InlineData("aqm", "pie:15ms:15ms:ecn:7", "--aqm: expected nothing more, found '7' in 'pie:15ms:15ms:ecn:7'.")]
    [InlineData("overhead", "2kb", "--overhead: expected at most 1000b of a frame, found 'something else' in '2kb'.")]
    [InlineData("cross", "bbr:2:20ms",
        "--cross: expected cubic, reno or cbr, as in cubic:4:20ms, reno:2:50ms:10s+20s or cbr:20mbit, found 'bbr' in 'bbr:2:20ms'.")]
    [InlineData("cross", "cubic:65:20ms", "--cross: expected 1 to 64 flows and a round-trip time of at least 1us, found 'something else' in 'cubic:65:20ms'.")]
    [InlineData("cross", "cbr:1mbit:5s", "--cross: expected a start and a length such as 10s+20s, found '5s' in 'cbr:1mbit:5s'.")]
    [InlineData("slot", "0ms", "--slot: expected a distance of slots of at least 1us, found 'less' in '0ms'.")]
    [InlineData("slot", "9ms-1ms", "--slot: expected a distance of slots such as 10ms or 5ms-15ms, at least 1us, found '9ms-1ms' in '9ms-1ms'.")]
    [InlineData("jitter", "5ms:over:9ms",
        "--jitter: expected at least twice the jitter after over, so that no packet overtakes another, found 'less' in '5ms:over:9ms'.")]
    public void Set_Nonsense_SaysWhatWasExpected(string option, string value, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => Profile($"{option} {value}")).Message);

    [Theory]
    [InlineData("cross cubic:1:20ms", "cross: expected a rate or a trace that it shares, found neither.")]
    [InlineData("aqm codel", "aqm: expected a rate or a trace behind it, found neither.")]
    public void Build_WithoutARate_IsRefused(string option, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => Profile(option)).Message);
}
