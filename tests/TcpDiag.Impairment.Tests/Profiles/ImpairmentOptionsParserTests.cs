using System;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Profiles;

public class ImpairmentOptionsParserTests
{
    const string ReorderKinds = "replace, add, swap or ahead, as in 1pct:replace:5ms, or flush:1s-10s:20:5ms";

    static LinkSettings Out(params string[] options) => Settings(options).Out.Before;

    [Fact]
    public void Set_TheExampleOfTheGuide_IsUnderstood()
    {
        ImpairmentProfile profile = Profile("rate 100mbit", "rtt 25ms", "buffer 1bdp", "loss 0.1pct", "reorder 1pct:replace:5ms", "seed 7");
        LinkSettings link = profile.Settings.Out.Before;

        Assert.Equal(100_000_000, link.RateBitsPerSecond);
        Assert.Equal(25 * Ms, profile.Settings.RttNanos);
        Assert.Equal(new QueueDepth(1, QueueUnit.BandwidthDelayProducts), link.Queue);
        Assert.Equal([new RandomLoss(new ChanceSettings(0.001))], link.Losses);
        Assert.Equal([new ReplaceReordering(new ChanceSettings(0.01), 5 * Ms)], link.Reorderings);
        Assert.Equal(7UL, profile.Settings.Seed);
        Assert.Equal(["rate: 100mbit", "rtt: 25ms", "buffer: 1bdp", "loss: 0.1pct", "reorder: 1pct:replace:5ms"], profile.Options);
    }

    [Theory]
    [InlineData("1.5gbit", 1_500_000_000)]
    [InlineData("64KBIT", 64_000)]
    [InlineData("9600bit", 9600)]
    [InlineData("1000gbit", 1_000_000_000_000)]
    public void Set_Rate_KnowsItsUnits(string rate, long expected) => Assert.Equal(expected, Out($"rate {rate}").RateBitsPerSecond);

    [Theory]
    [InlineData("1s", 1_000_000_000)]
    [InlineData("2.5ms", 2_500_000)]
    [InlineData("0.25us", 250)]
    [InlineData("7ns", 7)]
    [InlineData("0ms", 0)]
    [InlineData("2min", 120_000_000_000)]
    public void Set_Delay_KnowsItsUnits(string delay, long expected) => Assert.Equal(expected, Out($"delay {delay}").DelayNanos);

    [Theory]
    [InlineData("64kib", 65536, QueueUnit.Bytes)]
    [InlineData("64kb", 64000, QueueUnit.Bytes)]
    [InlineData("1mib", 1048576, QueueUnit.Bytes)]
    [InlineData("1500b", 1500, QueueUnit.Bytes)]
    [InlineData("100pkt", 100, QueueUnit.Packets)]
    [InlineData("0.2bdp", 0.2, QueueUnit.BandwidthDelayProducts)]
    public void Set_Buffer_KnowsItsUnits(string buffer, double amount, QueueUnit unit) =>
        Assert.Equal(new QueueDepth(amount, unit), Out($"buffer {buffer}").Queue);

    [Fact]
    public void Set_Reorderings_OfEveryKind()
    {
        LinkSettings link = Out(
            "reorder 1%:replace:5ms:corr:30pct", "reorder every:100:add:2ms", "reorder 10ppm:swap:3", "reorder 0.5:ahead:50", "reorder flush:1s-10s:20:3ms");

        Assert.Equal(
            [
                new ReplaceReordering(new ChanceSettings(0.01, 0.3), 5 * Ms),
                new AddReordering(new ChanceSettings(0, 0, 100), 2 * Ms),
                new SwapReordering(new ChanceSettings(0.00001), 3),
                new AheadReordering(new ChanceSettings(0.5), 50),
                new FlushReordering(1000 * Ms, 10_000 * Ms, 20, 3 * Ms),
            ],
            link.Reorderings);
    }

    [Fact]
    public void Set_LossesJitterAndTheRest()
    {
        LinkSettings link = Out(
            "loss ge:1pct:20pct:0.1pct:50pct", "loss burst:0.1pct:5", "jitter 2ms:pareto:reorder", "duplicate every:50", "corrupt 1ppm",
            "blackout 10s+500ms/30s", "ecn 20pkt", "burst 3kb");

        Assert.Equal([new GilbertElliottLoss(0.01, 0.2, 0.001, 0.5), new BurstLoss(new ChanceSettings(0.001), 5)], link.Losses);
        Assert.Equal(new JitterSettings(2 * Ms, JitterShape.Pareto, true), link.Jitter);
        Assert.Equal(new ChanceSettings(0, 0, 50), link.Duplication);
        Assert.Equal([new BlackoutWindow(10_000 * Ms, 500 * Ms, 30_000 * Ms)], link.Blackouts);
        Assert.Equal((20, 3000), (link.EcnThreshold?.Amount, link.BurstBytes));
    }

    [Fact]
    public void Set_Prefixes_ChooseDirectionAndSegment()
    {
        EmulatorSettings settings = Settings("rate out:10mbit", "rate in:50mbit", "loss behind:in:1pct", "delay behind:3ms");

        Assert.Equal((10_000_000, 50_000_000), (settings.Out.Before.RateBitsPerSecond, settings.In.Before.RateBitsPerSecond));
        Assert.Empty(settings.Out.Behind!.Losses);
        Assert.Single(settings.In.Behind!.Losses);
        Assert.Equal(6 * Ms, settings.RttNanos);
    }

    [Fact]
    public void Set_NothingBehind_MakesOneSegment() => Assert.Null(Settings("rate 1mbit").Out.Behind);

    [Fact]
    public void BeginOverrides_OptionsReplaceTheProfiles()
    {
        ImpairmentOptionsParser parser = new();
        parser.Set("p", "loss", "1pct");
        parser.Set("p", "loss", "2pct");
        parser.Set("p", "rate", "1mbit");
        parser.BeginOverrides();
        parser.Set("--loss", "loss", "3pct");
        parser.Set("--loss", "loss", "4pct");
        LinkSettings link = parser.Build().Settings.Out.Before;

        Assert.Equal([new RandomLoss(new ChanceSettings(0.03)), new RandomLoss(new ChanceSettings(0.04))], link.Losses);
        Assert.Equal(1_000_000, link.RateBitsPerSecond);
    }

    [Theory]
    [InlineData("rate 100mbit, rtt 25ms, reorder out:1pct:replace:5ms", "rate 10mbit, reorder 0pct:add:1ms", "rtt: 25ms, rate: 10mbit, reorder: 0pct:add:1ms")]
    [InlineData("", "loss 1pct, loss in:2pct", "loss: 1pct, loss: in:2pct")]
    [InlineData("loss 1pct, loss behind:3pct", "loss in:2pct", "loss: out:1pct, loss: behind:3pct, loss: in:2pct")]
    [InlineData("loss in:2pct, loss behind:out:3pct", "loss 1PCT, loss behind:4pct", "loss: 1pct, loss: behind:4pct")]
    [InlineData("rate out:1mbit", "rate 2mbit, rate 3mbit, limit 1ms, limit 2ms", "rate: 3mbit, limit: 2ms")]
    [InlineData("rtt 25ns", "delay out:5ms", "delay: in:12ns, delay: out:5ms")]
    [InlineData("delay 5ms, delay behind:1ms", "rtt 25ms", "delay: behind:1ms, rtt: 25ms")]
    public void Options_AreThoseInForce(string profile, string overrides, string expected) =>
        Assert.Equal(expected, string.Join(", ", Layered(profile.Split(", "), overrides.Split(", ")).Options));

    [Fact]
    public void Options_ReadAgain_MakeTheSamePath()
    {
        string[] known =
        [
            "rate 1mbit", "rate out:2mbit", "rate behind:in:3mbit", "rtt 25ns", "rtt 4ms", "delay out:5ms", "delay in:6ms", "delay 7ms", "delay behind:8ms",
            "loss 1pct", "loss in:2pct", "loss behind:out:list:3+5", "reorder out:1pct:ahead:3", "reorder 1pct:add:5ms", "blackout 1s+5ms",
            "jitter 2ms:pareto:reorder",
        ];
        Prop.ForAll<byte[], byte[]>((profile, overrides) =>
        {
            string[] Pick(byte[] numbers) => [.. numbers.Select(number => known[number % known.Length])];
            ImpairmentProfile first = Layered(Pick(profile), Pick(overrides));
            ImpairmentProfile again = Layered([.. first.Options.Select(line => line.Replace(": ", " ", StringComparison.Ordinal))], []);
            Assert.Equal(first.Options, again.Options);
            Assert.Equal(Words(first.Settings), Words(again.Settings));
        }).QuickCheckThrowOnFailure();
    }

    static ImpairmentProfile Layered(string[] profile, string[] overrides)
    {
        ImpairmentOptionsParser parser = new();
        SetAll(parser, profile);
        parser.BeginOverrides();
        SetAll(parser, overrides);
        return parser.Build();
    }

    static void SetAll(ImpairmentOptionsParser parser, string[] options)
    {
        foreach (string[] words in options.Select(option => option.Split(' ')).Where(words => words.Length == 2))
        {
            parser.Set($"--{words[0]}", words[0], words[1]);
        }
    }

    // A record's own text does not look into lists.
    static string[] Words(EmulatorSettings settings) =>
    [
        .. new[] { settings.Out.Before, settings.Out.Behind, settings.In.Before, settings.In.Behind }.Select(link => link is null
            ? "none"
            : $"{link with { Losses = [], Reorderings = [], Blackouts = [] }} {string.Join(' ', link.Losses)} {string.Join(' ', link.Reorderings)} "
              + string.Join(' ', link.Blackouts)),
    ];

    [Theory]
    [InlineData("loss", "5x", "--loss: expected a probability such as 0.1pct, 1ppm, 1/1000 or 0.001, found '5x' in '5x'.")]
    [InlineData("loss", "101pct", "--loss: expected a probability such as 0.1pct, 1ppm, 1/1000 or 0.001, found '101pct' in '101pct'.")]
    [InlineData("loss", "-1", "--loss: expected a probability such as 0.1pct, 1ppm, 1/1000 or 0.001, found '-1' in '-1'.")]
    [InlineData("loss", "1/0", "--loss: expected a probability such as 0.1pct, 1ppm, 1/1000 or 0.001, found '1/0' in '1/0'.")]
    [InlineData("loss", "1pct:corr:100pct", "--loss: expected a correlation below 100pct, and only with a probability, found '100pct' in '1pct:corr:100pct'.")]
    [InlineData("loss", "list:5+4", "--loss: expected packet numbers in ascending order such as 5+17+90-95, found '4' in 'list:5+4'.")]
    [InlineData("loss", "1pct:7", "--loss: expected nothing more, found '7' in '1pct:7'.")]
    [InlineData("rate", "0mbit", "--rate: expected a rate such as 100mbit, 64kbit or 1gbit, at most 1000gbit, found '0mbit' in '0mbit'.")]
    [InlineData("rate", "100", "--rate: expected a rate such as 100mbit, 64kbit or 1gbit, at most 1000gbit, found '100' in '100'.")]
    [InlineData("rtt", "25", "--rtt: expected a time such as 5ms, 200us or 1.5s, at most one day, found '25' in '25'.")]
    [InlineData("rtt", "2000min", "--rtt: expected a time such as 5ms, 200us or 1.5s, at most one day, found '2000min' in '2000min'.")]
    [InlineData("buffer", "5", "--buffer: expected a queue such as 1bdp, 100pkt or 64kb, at most 1000bdp, 1000000pkt or 1gib, found '5' in '5'.")]
    [InlineData("burst", "2gib", "--burst: expected bytes such as 64kib, 64kb or 65536b, at most 1gib, found '2gib' in '2gib'.")]
    [InlineData("reorder", "1pct", $"--reorder: expected {ReorderKinds}, found 'the end' in '1pct'.")]
    [InlineData("reorder", "1pct:jump", $"--reorder: expected {ReorderKinds}, found 'jump' in '1pct:jump'.")]
    [InlineData("reorder", "flush:9s-1s:2:1ms", "--reorder: expected an interval such as 1s-10s, found '9s-1s' in 'flush:9s-1s:2:1ms'.")]
    [InlineData("reorder", "1pct:ahead:0", "--reorder: expected a number of packets from 1 to 1000000, found '0' in '1pct:ahead:0'.")]
    [InlineData("blackout", "10s", "--blackout: expected a start and a length such as 10s+500ms, or 10s+500ms/30s to repeat it, found '10s' in '10s'.")]
    [InlineData("blackout", "1s+5s/5s", "--blackout: expected a period longer than the window, found '5s' in '1s+5s/5s'.")]
    [InlineData("seed", "-7", "--seed: expected a seed from 0 to 18446744073709551615, found '-7'.")]
    public void Set_Nonsense_SaysWhatWasExpected(string option, string value, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => Profile($"{option} {value}")).Message);

    [Fact]
    public void Set_SecondSwap_IsRefused() =>
        Assert.Contains(
            "one swap per direction",
            Assert.Throws<ImpairmentException>(() => Profile("reorder 1pct:swap", "reorder 2pct:swap")).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Set_UnknownOption_NamesTheKnownOnes() => Assert.StartsWith(
        "--lose: expected one of rate, trace, burst, overhead, buffer, aqm, ecn, cross, delay,",
        Assert.Throws<ImpairmentException>(() => Profile("lose 1pct")).Message,
        StringComparison.Ordinal);
}
