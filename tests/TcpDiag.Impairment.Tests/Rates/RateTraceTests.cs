using System;
using System.IO;
using System.Linq;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Impairment.Rates;
using Xunit;
using static TcpDiag.Impairment.Tests.VirtualLink;

namespace TcpDiag.Impairment.Tests.Rates;

public class RateTraceTests
{
    static RateTrace Read(string text) => RateTrace.Read("up.trace", new StringReader(text));

    static VirtualLink Link(string trace, params string[] options)
    {
        EmulatorSettings settings = Settings(options);
        return new VirtualLink(settings with { Out = new PathSettings(settings.Out.Before with { Trace = Read(trace) }) });
    }

    [Fact]
    public void Offer_EachOpportunity_TakesFifteenHundredBytes()
    {
        // Opportunities at 1, 1, 5 ms, then again at 6, 6, 10, 11 …
        VirtualLink link = Link("1\n1\n5\n");
        for (int i = 0; i < 6; i++)
        {
            link.Offer(0);
        }

        link.Drain();
        Assert.Equal(new long[] { 1, 1, 5, 6, 6, 10 }.Select(ms => ms * Ms), link.ArrivalTimes);
    }

    [Fact]
    public void Offer_SmallPackets_ShareAnOpportunity()
    {
        // 3 × 500 bytes go with the first; of 2 × 1000 the second takes half of the next.
        VirtualLink link = Link("2\n7\n9\n");
        foreach (int length in new[] { 500, 500, 500, 1000, 1000 })
        {
            link.Offer(0, length);
        }

        link.Drain();
        Assert.Equal(new long[] { 2, 2, 2, 7, 9 }.Select(ms => ms * Ms), link.ArrivalTimes);
    }

    [Fact]
    public void Offer_NobodyWaits_TheOpportunityIsGone()
    {
        VirtualLink link = Link("1\n2\n3\n");
        link.Offer(1_500 * Us);
        link.Offer(7_100 * Us);
        link.Drain();

        Assert.Equal([2 * Ms, 8 * Ms], link.ArrivalTimes);
    }

    [Fact]
    public void Offer_ThroughAManagedQueue_LeavesAtTheSameTimes()
    {
        VirtualLink plain = Link("1\n1\n5\n");
        VirtualLink managed = Link("1\n1\n5\n", "rate 1mbit", "aqm codel:1s:10s"); // the trace stands in place of the rate
        foreach (VirtualLink link in new[] { plain, managed })
        {
            for (int i = 0; i < 300; i++)
            {
                link.Offer(i * 2 * Ms, 200 + (i * 91 % 1300));
            }

            link.Drain();
        }

        Assert.Equal(plain.ArrivalTimes, managed.ArrivalTimes);
    }

    [Fact]
    public void Trace_MeanRate_IsBytesOverPeriod() => Assert.Equal(3 * 1500 * 8 * 1000.0 / 5, Read("1\n1\n5\n").BitsPerSecond);

    [Fact]
    public void Offer_LongRun_KeepsTheMeanRate()
    {
        // 12 Mbit/s in bursts: 10 opportunities every 10 ms. 30,000 packets need 30 s.
        VirtualLink link = Link(string.Concat(Enumerable.Repeat("10\n", 10)), "buffer 100000pkt");
        for (int i = 0; i < 30_000; i++)
        {
            link.Offer(0);
        }

        Assert.Equal(30_000 * Ms, link.Drain().ArrivalTimes[^1]);
    }

    [Theory]
    [InlineData("1\n5\n4\n", "up.trace:3: expected a time in ms, not before the one above it, found '4'.")]
    [InlineData("1\n2.5\n", "up.trace:2: expected a time in ms, not before the one above it, found '2.5'.")]
    [InlineData("1\n-2\n", "up.trace:2: expected a time in ms, not before the one above it, found '-2'.")]
    [InlineData("1\n\n2\n", "up.trace:2: expected a time in ms, not before the one above it, found ''.")]
    [InlineData("99999999999\n", "up.trace:1: expected a time in ms, not before the one above it, found '99999999999'.")]
    [InlineData("1\n\u001b[31mred\n", "up.trace:2: expected a time in ms, not before the one above it, found bytes that are no text.")]
    [InlineData("1234567890123456789012345\n", "up.trace:1: expected a time in ms, not before the one above it, found '12345678901234567890'.")]
    [InlineData("", "up.trace:1: expected a time above 0 ms, found 'the end of the file'.")]
    [InlineData("0\n0\n", "up.trace:3: expected a time above 0 ms, found 'the end of the file'.")]
    public void Read_Nonsense_NamesTheLine(string text, string message) =>
        Assert.Equal(message, Assert.Throws<ImpairmentException>(() => Read(text)).Message);

    [Fact]
    public void Read_WindowsLines_AreRead() => Assert.Equal(3, Read("1\r\n2\r\n3").Opportunities);

    [Fact]
    public void Read_EndlessLine_StopsAtOnce()
    {
        using StreamReader endless = new(new Endless());
        Assert.Throws<ImpairmentException>(() => RateTrace.Read("zero", endless));
    }

    [Fact]
    public void Set_NoSuchFile_SaysSo() => Assert.Equal(
        "--trace: expected a file of Mahimahi's format, one time in ms a line, found no file 'No/Such.trace'.",
        Assert.Throws<ImpairmentException>(() => Profile("trace in:No/Such.trace")).Message);

    [Fact]
    public void Set_FromAnotherMachine_ReadsNoFile()
    {
        ImpairmentOptionsParser parser = new(mayReadFiles: false);
        ImpairmentException refused = Assert.Throws<ImpairmentException>(() => parser.Set("path: trace", "trace", "/etc/passwd"));

        Assert.Equal("path: trace: expected a path without files: a trace is read only on the machine whose command names it, found a file.", refused.Message);
    }

    [Fact]
    public void Set_File_IsReadWithItsCapitals()
    {
        string path = Path.Combine(Path.GetTempPath(), $"Trace-{Guid.NewGuid():N}.Up");
        File.WriteAllText(path, "1\n2\n");
        try
        {
            ImpairmentProfile profile = Profile($"trace in:{path}");
            Assert.Equal(2, profile.Settings.In.Before.Trace?.Opportunities);
            Assert.Equal([$"trace: in:{path}"], profile.Options);
        }
        finally
        {
            File.Delete(path);
        }
    }

    sealed class Endless : Stream
    {
        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => 0; set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            Array.Fill(buffer, (byte)'1', offset, count);
            return count;
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
