using System.Linq;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Impairment.Rates;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Rates;

public class ScheduleTests
{
    [Fact]
    public void Rate_Changes_InTheMiddleOfAPacket()
    {
        // 12 Mbit/s (1 ms a packet) until 2.5 ms, then 6 (2 ms): the third has half its bits left, 1 ms; the fourth takes 2 ms.
        VirtualLink link = new("rate 12mbit", "rate at:2500us:6mbit");
        for (int i = 0; i < 4; i++)
        {
            link.Offer(0);
        }

        link.Drain();
        Assert.Equal([1 * Ms, 2 * Ms, (3 * Ms) + (500 * Us), (5 * Ms) + (500 * Us)], link.ArrivalTimes);
    }

    [Fact]
    public void ScheduledRate_ThatNeverChanges_IsTheTokenBucket()
    {
        TokenBucket bucket = new(7_777_777, 3_000);
        ScheduledRate scheduled = new([(new TraceTime(0), 7_777_777)], 3_000);
        for (int i = 0; i < 20_000; i++)
        {
            TraceTime now = new(i / 5 * 4_321_987L);
            int length = 40 + (i * 53 % 1460);

            // The bucket rounds its depth to a nanosecond, the schedule only the result.
            Assert.InRange(bucket.NextStart(now) - scheduled.NextStart(now), -1, 1);
            Assert.InRange(bucket.Take(now, length) - scheduled.Take(now, length), -1, 1);
        }
    }

    [Fact]
    public void Delay_Falls_WithoutReordering()
    {
        VirtualLink link = new("delay 20ms", "delay at:10ms:5ms");
        link.Offer(9 * Ms);
        link.Offer(11 * Ms);
        link.Offer(30 * Ms);
        link.Drain();

        Assert.Equal([1, 2, 3], link.ArrivalOrder());
        Assert.Equal([29 * Ms, 29 * Ms, 35 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void RoundTrip_Changes_HalfEachWay()
    {
        VirtualLink link = new("rtt 20ms", "rtt at:1s:50ms");
        link.Offer(2_000 * Ms);
        link.Offer(3_000 * Ms, direction: LinkDirection.In);
        link.Drain();

        Assert.Equal([2_025 * Ms, 3_025 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Loss_BeginsAndEnds()
    {
        VirtualLink link = new("loss at:10ms:100pct", "loss at:20ms:0pct");
        for (int i = 0; i < 30; i++)
        {
            link.Offer(i * Ms);
        }

        link.Drain();
        Assert.Equal(Enumerable.Range(11, 10).Select(i => (long)i), link.Decisions.Where(d => d.Action == ImpairmentAction.DropLoss).Select(d => d.PacketId));
    }

    [Fact]
    public void Reordering_InOnePhase_ActsOnce()
    {
        // 5 ms more at 8 ms leads beyond the change at 10 ms, where another 7 ms would begin.
        VirtualLink link = new("reorder every:1:add:5ms", "reorder at:10ms:every:1:add:7ms");
        link.Offer(8 * Ms);
        link.Offer(12 * Ms);
        link.Drain();

        Assert.Equal([13 * Ms, 19 * Ms], link.ArrivalTimes);
    }

    [Theory]
    [InlineData("rate 10mbit, rate at:5s:1mbit", "delay 1ms", "rate: 10mbit, rate: at:5s:1mbit, delay: 1ms")]
    [InlineData("rate 10mbit, rate at:5s:1mbit", "rate 2mbit", "rate: 2mbit")]
    [InlineData("rate 10mbit, rate at:5s:1mbit", "rate at:6s:3mbit", "rate: 10mbit, rate: at:6s:3mbit")]
    [InlineData("loss 1pct, loss at:5s:2pct, loss at:5s:3pct", "loss in:4pct", "loss: out:1pct, loss: out:at:5s:2pct, loss: out:at:5s:3pct, loss: in:4pct")]
    [InlineData("", "rate at:5s:1mbit, rate 10mbit", "rate: at:5s:1mbit, rate: 10mbit")]
    [InlineData("", "rtt at:5s:25ns", "delay: out:at:5s:13ns, delay: in:at:5s:12ns")]
    public void Options_AreThoseInForce(string profile, string overrides, string expected)
    {
        ImpairmentOptionsParser parser = new();
        SetAll(parser, profile);
        parser.BeginOverrides();
        SetAll(parser, overrides);
        ImpairmentProfile built = parser.Build();
        ImpairmentOptionsParser again = new();
        foreach (string line in built.Options)
        {
            string[] words = line.Split(": ", 2);
            again.Set(words[0], words[0], words[1]);
        }

        Assert.Equal(expected, string.Join(", ", built.Options));
        Assert.Equal(built.Options, again.Build().Options);
        Assert.Equal(Words(built.Settings), Words(again.Build().Settings));
    }

    [Theory]
    [InlineData("buffer", "at:5s:10pkt",
        "--buffer: expected at: only with rate, rtt, delay, jitter, loss, reorder, duplicate and corrupt, found 'buffer at:' in 'at:5s:10pkt'.")]
    [InlineData("rate", "at:5s", "--rate: expected a rate such as 100mbit, 64kbit or 1gbit, at most 1000gbit, found 'the end' in 'at:5s'.")]
    [InlineData("rate", "at:5:1mbit", "--rate: expected a time such as 5ms, 200us or 1.5s, at most one day, found '5' in 'at:5:1mbit'.")]
    [InlineData("reorder", "at:5s:1pct:swap", "--reorder: expected no swap after at:, found 'one' in 'at:5s:1pct:swap'.")]
    public void Set_Nonsense_SaysWhatWasExpected(string option, string value, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => Profile($"{option} {value}")).Message);

    static void SetAll(ImpairmentOptionsParser parser, string options)
    {
        foreach (string[] words in options.Split(", ").Select(option => option.Split(' ')).Where(words => words.Length == 2))
        {
            parser.Set($"--{words[0]}", words[0], words[1]);
        }
    }

    static string Words(EmulatorSettings settings) => string.Join(
        '\n',
        new[] { settings.Out.Before, settings.In.Before }.SelectMany(link => new[] { new LinkChange(0, link) }.Concat(link.Changes)).Select(change =>
            $"{change.AtNanos} {change.Settings.RateBitsPerSecond} {change.Settings.DelayNanos} {string.Join(' ', change.Settings.Losses)}"));
}
