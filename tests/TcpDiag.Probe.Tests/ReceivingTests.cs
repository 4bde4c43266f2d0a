using System;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Probe.Profiles;
using TcpDiag.Probe.Receiving;
using TcpDiag.Probe.Trials;
using TcpDiag.Wire;
using Xunit;
using Interval = TcpDiag.Probe.Results.Interval;

namespace TcpDiag.Probe.Tests;

/// <summary>The parts of the receiver, by hand.</summary>
public sealed class ReceivingTests
{
    const long Ms = 1_000_000;

    static readonly TraceTime Start = new(1_000_000_000);

    // RFC 2018 §4: the block of the latest segment first; RFC 2883 §4: the duplicate before all.
    [Fact]
    public void Report_HolesAndADuplicate_LatestFirst()
    {
        Reassembly held = new(new SequenceNumber(100));
        held.OnArrival(new SequenceNumber(200), new SequenceNumber(300));
        held.OnArrival(new SequenceNumber(400), new SequenceNumber(500));
        held.OnArrival(new SequenceNumber(200), new SequenceNumber(300));
        ProbeSegment segment = default;
        held.Report(ref segment, withDuplicate: true);
        Assert.Equal((200u, 400u, 200u, 3), (segment[0].Left.Value, segment[1].Left.Value, segment[2].Left.Value, segment.BlockCount));
        Assert.Equal(100u, held.RcvNxt.Value);
        held.OnArrival(new SequenceNumber(100), new SequenceNumber(200));
        Assert.Equal(300u, held.RcvNxt.Value); // 100 to 200 joins 200 to 300
    }

    // Whatever the order, everything is held in the end, also across 2³².
    [Fact]
    public void OnArrival_AnyOrder_AcknowledgesAll() =>
        Prop.ForAll<int>(seed =>
        {
            SequenceNumber first = new(uint.MaxValue - 500);
            Reassembly held = new(first);
            int[] order = [.. Enumerable.Range(0, 20)];
            new Random(seed).Shuffle(order);
            Array.ForEach(order, place => held.OnArrival(first + (100 * place), first + (100 * (place + 1))));
            return held.RcvNxt == first + 2000 && !held.HasHole;
        }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("10.0.0.1", "10.0.0.2")]
    [InlineData("fd00::1", "fd00::2")]
    public void Write_Acknowledgment_IsAPacketWithChecksums(string from, string to)
    {
        Assert.True(IpAddress.TryParse(from, out IpAddress source));
        Assert.True(IpAddress.TryParse(to, out IpAddress destination));
        ProbeSegment segment = new() { Flags = TcpFlags.Ack, Seq = new SequenceNumber(7), Ack = new SequenceNumber(9), Window = 4000 };
        segment.Add(new SackBlock(new SequenceNumber(20), new SequenceNumber(30)));
        byte[] packet = new byte[SegmentCodec.MaxBytes];
        int length = SegmentCodec.Write(segment, 2, new Endpoint(source, 5001), new Endpoint(destination, 6000), packet);
        ParsedPacket parsed = default;
        ReadOnlySpan<byte> frame = packet.AsSpan(0, length);
        Assert.True(PacketParser.TryParse(frame, LinkType.Raw, ref parsed) && parsed.IsTcp);
        Assert.Equal(ChecksumState.Correct, InternetChecksum.VerifyTransport(frame, parsed));
        Assert.Equal((7u, 9u, 1000, 5001), (parsed.Sequence.Value, parsed.Acknowledgment.Value, parsed.Window, parsed.SourcePort));
        Assert.Equal(30u, SackBlock.Read(frame, parsed.Options, 0).Right.Value);
    }

    // Sent at 0, 2, 4 … ms, acknowledged 40 ms later; sent again at 52 ms: RACK.rtt is 40 ms, so it was 12 ms late, and the acknowledgment of the
    // segment of 10 ms, when it was 10 ms late, did not do it. That of 12 ms may have.
    [Fact]
    public void HoleTrial_RetransmissionAfterAnAcknowledgment_LiesBetweenIt_AndTheOneBefore()
    {
        ReceiverView view = new(new ProbeSettings());
        view.OnRoundTrip(40 * Ms);
        HoleTrial trial = new(new HolePlan(LateNanos: null));
        Arrival hole = Segment(0, 0);
        Assert.True(trial.Begin(hole).IsDropped);
        for (int i = 1; i <= 6; i++)
        {
            trial.OnAcknowledged(new Acknowledgment(Start + ((40 + (2 * i)) * Ms), Segment(i, 2 * i), hole.Seq, hole.Seq, HasDsack: false), view);
        }

        trial.OnResent(hole with { Time = Start + (52 * Ms), IsResent = true }, view);
        Assert.Equal(new Interval(10 * Ms, 12 * Ms), trial.ReoWnd);
        Assert.Equal(6, trial.SackedAbove);
    }

    // The same, but sent again 90 ms after the last acknowledgment: a timer, and nothing is read.
    [Fact]
    public void HoleTrial_RetransmissionLongAfter_ReadsNothing()
    {
        ReceiverView view = new(new ProbeSettings());
        view.OnRoundTrip(40 * Ms);
        HoleTrial trial = new(new HolePlan(LateNanos: null));
        Arrival hole = Segment(0, 0);
        trial.Begin(hole);
        trial.OnAcknowledged(new Acknowledgment(Start + (42 * Ms), Segment(1, 2), hole.Seq, hole.Seq, HasDsack: false), view);
        trial.OnResent(hole with { Time = Start + (132 * Ms), IsResent = true }, view);
        Assert.True(trial.IsResent);
        Assert.Null(trial.ReoWnd);
    }

    [Fact]
    public void Overlap_ReadingsThatContradict_GivesTheRangeOfTheirMiddles()
    {
        Assert.Equal(new Interval(3, 4), Interval.Overlap([new Interval(1, 4), new Interval(3, 6)]));
        Assert.Equal(new Interval(1.5, 5.5), Interval.Overlap([new Interval(1, 2), new Interval(5, 6)]));
    }

    // 1000 bytes of window permitted at 0 ms, 2000 at 5 ms: the second segment that came at 6 ms took 1 ms.
    [Fact]
    public void PermissionTrack_Segment_IsHeldAgainstWhatPermittedIt()
    {
        PermissionTrack track = new();
        track.OnAcknowledged(new SequenceNumber(1000), Start);
        track.OnAcknowledged(new SequenceNumber(2000), Start + (5 * Ms));
        Assert.Equal(3 * Ms, track.OnNew(new SequenceNumber(1000), Start + (3 * Ms)));
        Assert.Equal(1 * Ms, track.OnNew(new SequenceNumber(2000), Start + (6 * Ms)));
        Assert.Null(track.OnNew(new SequenceNumber(3000), Start + (7 * Ms)));
    }

    [Fact]
    public void Receiver_SenderWithoutSack_IsReset()
    {
        ScriptedReceiver receiver = new(new ProbeSettings(), new StaircaseProfile(), new SequenceNumber(1));
        receiver.OnSegment(new ProbeSegment { Flags = TcpFlags.Syn, Seq = new SequenceNumber(5), Mss = 1460 }, Start);
        Assert.Equal("the sender does not permit SACK", receiver.End);
        Assert.True(receiver.TrySend(Start, out ProbeSegment reset));
        Assert.Equal((TcpFlags.Rst | TcpFlags.Ack, 6u), (reset.Flags, reset.Ack.Value));
        Assert.False(receiver.TrySend(Start, out _));
    }

    static Arrival Segment(int place, int ms)
    {
        SequenceNumber seq = new SequenceNumber(1000) + (1460 * place);
        return new Arrival(seq, seq + 1460, Start + (ms * Ms), IsResent: false);
    }
}
