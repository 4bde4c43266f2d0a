using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Locate.Tests.LocateCase;

namespace TcpDiag.Locate.Tests;

/// <summary>What middleboxes and offloads change, and what is recognised all the same. 1 % of packets are lost in the first segment.</summary>
[Trait("Needs", "time")]
public sealed class LocateChangesTests
{
    static readonly Lazy<ThreePointRun> Lossy = new(() => new ThreePointRun(Flow(), Path(77, before: Losing(0.01))));

    static CaptureEdit Edit => CaptureEdit.From(Lossy.Value.Flow.Start);

    // 2, 3 or 16 segments put together at the middle, the receiver, or both.
    [Theory]
    [InlineData(1, 2)]
    [InlineData(3, 1)]
    [InlineData(16, 3)]
    [InlineData(2, 16)]
    public void Offloads_SegmentsPutTogether_CountAsTheyWere(int middle, int receiver)
    {
        byte[][] captures = Lossy.Value.Captures;
        Location location = Three(captures[0], Edit.Apply(captures[1], middle), Edit.Apply(captures[2], receiver));
        AssertLosses(location);
    }

    [Fact]
    public void Nat_IsNamed_AndRecognised()
    {
        byte[][] captures = Lossy.Value.Captures;
        Location location = Three(captures[0], Edit.Nat().Apply(captures[1]), Edit.Nat().Apply(captures[2]));
        LocatedChange change = Assert.Single(location.Paths[0].Changes);
        Assert.Equal((0, 1, ChangeKind.Addresses), (change.From, change.To, change.Kind));
        Assert.Equal("10.0.0.1:50000 to 10.0.0.2:443", change.Near);
        Assert.Equal("192.0.2.7:61234 to 10.0.0.2:443", change.Far);
        Assert.Equal(Recognition.InitialSequence, Assert.Single(location.Paths[0].RecognisedBy.Keys));
        Assert.Equal(1, location.Paths[0].Clocks[0].Hops);
        AssertLosses(location);
    }

    // RFC 2018 §3: blocks are sequence numbers too. A middlebox that moves the one and not the other leaves SACKs that no sender understands.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void MovedSequence_WithAndWithoutSack_IsNamed(bool withSack)
    {
        byte[][] captures = Lossy.Value.Captures;
        Location location = Three(
            captures[0],
            Edit.MoveSequence(0x8000_1234, withSack).Apply(captures[1]),
            Edit.MoveSequence(0x8000_1234, withSack).Apply(captures[2]));
        ChangeKind[] kinds = [.. location.Paths[0].Changes.Where(change => change.From == 0).Select(change => change.Kind)];
        Assert.Contains(ChangeKind.SequenceNumbers, kinds);
        Assert.Equal(!withSack, kinds.Contains(ChangeKind.SackBlocks));
        AssertLosses(location);
    }

    // Behind NAT that also moves sequence numbers nothing but the payload is left.
    [Fact]
    public void Payload_IsRecognised_ThroughNatThatMovesSequence()
    {
        byte[][] captures = Lossy.Value.Captures;
        uint origin = Lossy.Value.At(0)[0].Packet.Seq.Value;
        const uint by = 0x1357_9BDF;
        byte[] sender = Edit.Payload(origin).Apply(captures[0]);
        byte[] receiver = CaptureEdit.From(Lossy.Value.Flow.Start).Payload(origin).Nat().MoveSequence(by, withSack: true).Apply(captures[2]);
        Location location = Located(("sender", sender), ("receiver", receiver));
        Assert.Equal(Recognition.Payload, Assert.Single(Assert.Single(location.Paths).RecognisedBy.Keys));
        Assert.Equal(Lossy.Value.LostData(0), location.Paths[0].FromClient.Steps[0].Data.Lost);
    }

    [Fact]
    public void WithoutPayload_ThatIsNotRecognisable_AndSaid()
    {
        byte[][] captures = Lossy.Value.Captures;
        Location location = Located(("sender", captures[0]), ("receiver", Edit.Nat().MoveSequence(99, withSack: true).StripTimestamps().Apply(captures[2])));
        Assert.Empty(location.Paths);
        Assert.All(location.Points, point => Assert.Equal((1, false), (point.Alone, point.HasPayload)));
    }

    [Fact]
    public void ClampedMss_AndStrippedTimestamps_AreNamed()
    {
        byte[][] captures = Lossy.Value.Captures;
        Location location = Three(captures[0], captures[1], Edit.ClampMss(1400).StripTimestamps().Apply(captures[2]));
        ChangeKind[] kinds = [.. location.Paths[0].Changes.Where(change => (change.From, change.To) == (1, 2)).Select(change => change.Kind)];
        Assert.Equal([ChangeKind.Mss, ChangeKind.TimestampsOption], kinds.Order());
    }

    // Both sides of a router in one file: two points with one clock.
    [Fact]
    public void Interfaces_OfOneCapture_ArePointsWithOneClock()
    {
        byte[] both = Join(Lossy.Value.Captures[0], Lossy.Value.Captures[1]);
        Location location = Located(("router", both));
        LocatedPath path = Assert.Single(location.Paths);
        Assert.Equal(["router:if0", "router:if1"], path.Points.Select(point => location.Points[point].Name));
        Assert.True(path.Clocks[0].IsShared);
        Assert.Equal(5 * Ms, path.FromClient.Steps[0].Data.Delays.Quantile(0.5), 10_000.0);
        Assert.Equal(Lossy.Value.LostData(0), path.FromClient.Steps[0].Data.Lost);
    }

    static Location Three(params byte[][] captures) => Located(("sender", captures[0]), ("middle", captures[1]), ("receiver", captures[2]));

    static void AssertLosses(Location location)
    {
        LocatedDirection data = Assert.Single(location.Paths).FromClient;
        Assert.Equal($"{Lossy.Value.LostData(0)} 0", data.Losses());
        Assert.Empty(data.Untold);
        Assert.All(location.Points, point => Assert.Equal(0, point.Missed));
    }

    static byte[] Join(params byte[][] captures)
    {
        using var output = new MemoryStream();
        using (var writer = new PcapngWriter(output))
        {
            var packets = new List<(TraceTime Time, int Interface, byte[] Data, int Length)>();
            for (int i = 0; i < captures.Length; i++)
            {
                writer.WriteInterface(new TraceInterface { Index = i, Name = $"if{i}", LinkType = LinkType.Ethernet });
                using TraceReader reader = PcapngReader.Open(new MemoryTraceInput(captures[i]), TraceOpenOptions.Default);
                var record = default(TraceRecord);
                while (reader.TryRead(ref record))
                {
                    packets.Add((record.Time, i, record.Data.ToArray(), record.OriginalLength));
                }
            }

            foreach ((TraceTime time, int number, byte[] data, int length) in packets.OrderBy(packet => packet.Time))
            {
                writer.WritePacket(new TraceRecord
                {
                    Kind = TraceRecordKind.Packet,
                    Time = time,
                    Data = data,
                    InterfaceIndex = number,
                    LinkType = LinkType.Ethernet,
                    OriginalLength = length,
                });
            }
        }

        return output.ToArray();
    }
}
