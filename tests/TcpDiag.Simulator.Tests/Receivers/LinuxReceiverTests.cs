using System.Collections.Generic;
using System.Linq;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Receivers;

/// <summary>
/// When Linux acknowledges, and what it grants, beside the receiver of the RFCs. Segments of 1448 bytes, counted from 0, times in ms; the program reads at
/// once. The window of the handshake is 45 segments, and 40 ms are its round trip.
/// </summary>
[Trait("Tier", "Behaviour")]
public sealed class LinuxReceiverTests
{
    const int Mss = 1_448;
    const int AdvMss = 1_460;
    const long Us = 1_000;
    const long Ms = 1_000_000;

    static readonly SequenceNumber First = new(0xFFFF_FFFF - 2_500);
    static readonly ReceiverTraits Plain = ReceiverVariants.Linux("adaptive") with { WindowScale = 2 };

    readonly List<string> _acks = [];
    Receiver _tcp = New(Plain);

    // The window may grow by two segments of 1460 with each segment, up to the 81920 bytes that the buffer takes, less what it holds: 65160 + 5 * 2920 = 79760,
    // then 80472. Each of these is acknowledged, beside the sixteen at the beginning: 16 are left behind 16, and from 17 on every second is.
    [Fact]
    public void Beginning_SixteenAreAcknowledgedAtOnce_ThenEverySecond()
    {
        Arrive(0, Enumerable.Range(0, 20));
        Assert.Equal("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20", Said(_acks));
        Assert.Equal(80_472, _tcp.Window);
    }

    // Behind the beginning (20 segments), 21 is missing. By the RFC each of 22 to 31 is answered at once; Linux answers three, and holds the others: the timer
    // of the fourth, at 24.2 + 1 + 0.1 (slack), says them all, and that of the next, at 25.4, the rest. What fills the hole is answered at once.
    [Theory]
    [InlineData(44, "22.2:20+1 22.8:20+2 23.4:20+3 25.1:20+5 26.3:20+7 27.5:20+9 28.2:30")]
    [InlineData(0, "22.2:20+1 22.8:20+2 23.4:20+3 24.0:20+4 24.6:20+5 25.2:20+6 25.8:20+7 26.4:20+8 27.0:20+9 28.2:30")]
    public void Sacks_BehindTheThird_AreHeldForAMillisecond(int compressed, string expected)
    {
        _tcp = New(Plain with { CompressedSacks = compressed });
        Settle();
        for (int i = 0; i < 9; i++)
        {
            Arrive(22.2 + (0.6 * i), [21 + i]);
        }

        Arrive(28.2, [20]);
        Assert.Equal(expected, Timed(_acks));
    }

    // A round trip of 5 ms: a twentieth of it is 0.25 ms, and the slack 0.1 ms.
    [Fact]
    public void Sacks_OverAShortPath_AreHeldForATwentiethOfTheRoundTrip()
    {
        _tcp = New(Plain);
        _tcp.OnEstablished(default, 5 * Ms);
        Settle();
        Arrive(30, [21, 22, 23, 24]);
        Run(new TraceTime(40 * Ms));
        Assert.Equal("30.0:20+1 30.0:20+2 30.0:20+3 30.4:20+4", Timed(_acks));
    }

    // Two holes: the first is filled, the second is not. RCV.NXT has moved, so three more are answered at once.
    [Fact]
    public void Sacks_BehindAFilledHole_AreCountedAgain()
    {
        Settle();
        Arrive(30, [21, 22, 23, 25, 26, 27]); // three at once, three held
        Arrive(30.5, [20]);
        Arrive(30.6, [28, 29, 30, 31]); // the answer to 20 was the first of three
        Assert.Equal("30.0:20+1 30.0:20+2 30.0:20+3 30.5:24+3 30.6:24+4 30.6:24+5", Timed(_acks));
    }

    // A third block would push out the first, which the sender has not heard of: what is held goes first.
    [Fact]
    public void Sacks_ThatAreHeld_GoBeforeAThirdBlock()
    {
        Settle();
        Arrive(30, [21, 22, 24, 25]); // 21 to 23 and 24 to 26; the last is held
        Arrive(30.1, [27]);
        Assert.Equal("30.0:20+1 30.0:20+2 30.0:20+3 30.1:20+4", Timed(_acks));
    }

    // Acknowledged once each, until sixteen acknowledgments were sent: the first says the duplicate.
    [Fact]
    public void Duplicate_BringsQuickAcknowledgmentsBack()
    {
        Settle();
        Arrive(30, [3]);
        Arrive(31, Enumerable.Range(20, 18));
        Assert.Equal("20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 37", Said(_acks));
    }

    // More than the least timeout and a round trip, 240 ms: the sender may have restarted.
    [Theory]
    [InlineData(270, "23")]
    [InlineData(271, "22 23")]
    public void Silence_BringsQuickAcknowledgmentsBack(double at, string expected)
    {
        Settle();
        Arrive(30.5, [20]);
        Run(new TraceTime(80 * Ms)); // acknowledged by its timer
        _acks.Clear();
        Arrive(at, [21, 22]);
        Assert.Equal(expected, Said(_acks));
    }

    // Half a segment, or PSH: nothing more may come soon.
    [Theory]
    [InlineData(true, Mss, "21")]
    [InlineData(false, Mss / 2, "20")]
    [InlineData(false, Mss, "")]
    public void Pushed_IsAcknowledgedOnceItIsRead(bool isPushed, int length, string expected)
    {
        Settle();
        _tcp.OnSegment(new DataArrival(Seq(20), length, new TraceTime(30 * Ms)) { IsPushed = isPushed });
        Assert.False(_tcp.TryTakeAck(out _));
        _tcp.Read(int.MaxValue, new TraceTime(30 * Ms));
        Take(new TraceTime(30 * Ms));
        Assert.Equal(expected, Said(_acks));
    }

    // 20 and 22 are missing; 20 is sent again at 70 and makes RCV.NXT 22. The original of 22 left before that: RFC 7323 §5.3 R1 (PAWS) drops it, though it is
    // new, if its timestamp is older by more than 1 (TCP_PAWS_WINDOW). A copy of 0 that left at 90 is outside the window, and moves no timestamp (R2 before R3).
    [Theory]
    [InlineData(68, 22)]
    [InlineData(69, 24)]
    public void Paws_AnOriginalBehindARetransmission_IsDropped(uint tsVal, int next)
    {
        Settle();
        Send(21, 60);
        Send(23, 60);
        Send(20, 70);
        Send(0, 90);
        Send(22, tsVal);
        Assert.Equal(70u, _tcp.TsRecent);
        Assert.Equal(Seq(next), _tcp.RcvNxt);
    }

    // 40 segments are read in a round trip, where 10 of 1460 were the measure: twice as much, and twice the growth of that again:
    // 2 * 57920 + 2 * 115840 * (57920 - 14600) / 14600 = 803262 bytes.
    [Fact]
    public void Buffer_FollowsWhatIsReadInARoundTrip()
    {
        LinuxReceiveBuffer buffer = new(AdvMss, window: 65_160, maxClamp: 20_000_000, First);
        buffer.OnEstablished(default);
        buffer.OnEcho(tsEcr: 1, 40 * Ms, isDrained: true);
        buffer.OnRead(First + (39 * Mss), span: 0, new TraceTime(39 * Ms));
        Assert.Equal(81_920, buffer.Clamp);
        buffer.OnRead(First + (40 * Mss), span: 0, new TraceTime(40 * Ms));
        Assert.Equal(803_262, buffer.Clamp);
    }

    // Nothing is granted that would leave less than a sixteenth of the buffer free.
    [Fact]
    public void Window_OfAFullBuffer_IsClosed()
    {
        LinuxReceiveBuffer buffer = new(AdvMss, window: 65_160, maxClamp: 20_000_000, First);
        Assert.Equal(65_160, buffer.Window(held: 0));
        Assert.Equal(5_120, buffer.Window(held: 76_800));
        Assert.Equal(0, buffer.Window(held: 76_801));
    }

    static Receiver New(ReceiverTraits traits)
    {
        Receiver tcp = new(traits, Mss, First);
        tcp.OnEstablished(default, 40 * Ms);
        return tcp;
    }

    // Twenty segments, one every 0.6 ms; nothing is owed behind them.
    void Settle()
    {
        for (int i = 0; i < 20; i++)
        {
            Arrive(0.6 * i, [i]);
        }

        _acks.Clear();
    }

    void Arrive(double ms, IEnumerable<int> segments)
    {
        TraceTime now = new((long)(ms * Ms));
        foreach (int segment in segments)
        {
            Run(now);
            _tcp.OnSegment(new DataArrival(Seq(segment), Mss, now));
            Take(now);
            _tcp.Read(int.MaxValue, now);
            Take(now);
        }
    }

    void Send(int segment, uint tsVal)
    {
        _tcp.OnSegment(new DataArrival(Seq(segment), Mss, new TraceTime(100 * Ms)) { TsVal = tsVal, TsEcr = 50 });
        Take(new TraceTime(100 * Ms));
    }

    void Run(TraceTime until)
    {
        while (_tcp.NextTimer < until)
        {
            TraceTime due = _tcp.NextTimer;
            _tcp.OnTimer(due);
            Take(due);
        }
    }

    // When, what is in order, and how many segments are held behind it.
    void Take(TraceTime now)
    {
        while (_tcp.TryTakeAck(out AckArrival ack))
        {
            int held = Enumerable.Range(0, ack.BlockCount).Where(i => ack[i].Left > ack.Una).Sum(i => ack[i].Right - ack[i].Left) / Mss;
            string behind = held > 0 ? $"+{held}" : string.Empty;
            _acks.Add(System.FormattableString.Invariant($"{now.Nanoseconds / Us / 1_000.0:0.0}:{(ack.Una - First) / Mss}{behind}"));
        }
    }

    static string Said(List<string> acks) => string.Join(' ', acks.Select(ack => ack[(ack.IndexOf(':', System.StringComparison.Ordinal) + 1)..]));

    static string Timed(List<string> acks) => string.Join(' ', acks);

    static SequenceNumber Seq(int segment) => First + (segment * Mss);
}
