using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Shim;
using TcpDiag.Shim.Divert;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>Packets of captures, and made ones, replayed to the shim of the win-x64 build: every byte and every address that comes back is looked at.</summary>
public sealed class ReplayTests
{
    const ulong Interface = 0x2_0000_0007; // interface 7, sub-interface 2

    readonly ConcurrentQueue<StandInPacket> _back = new();

    StandInNetwork Start(string match, string[] options, bool isOpen = true, params string[] variables) =>
        new(match, options, _back.Enqueue, isOpen, variables);

    void Await(int count) => Assert.True(SpinWait.SpinUntil(() => _back.Count >= count, Patience.Limit), $"{_back.Count} of {count} packets came back");

    static DivertAddress Address(bool isOut, byte[] packet, bool hasChecksums = true) =>
        new() { IsOutbound = isOut, IsIpv6 = packet[0] >> 4 == 6, HasChecksums = hasChecksums, Interface = Interface };

    static byte[] Datagram(int number, string from = "10.0.0.1", string to = "10.0.0.2") =>
        new FrameBuilder().RawIp().Ip(from, to).Udp(4000, 5001).Payload(BitConverter.GetBytes(number)).Build();

    static int NumberOf(StandInPacket packet) => BitConverter.ToInt32(packet.Bytes.AsSpan(packet.Bytes.Length - 4));

    // The IP packets of a capture; what it has cut off is zero.
    static List<byte[]> ReadPackets(string fixture)
    {
        using TraceReader reader = TraceFile.Open(ProjectFolder.Fixture(fixture));
        List<byte[]> packets = [];
        TraceRecord record = default;
        while (reader.TryRead(ref record))
        {
            ParsedPacket parsed = default;
            if (record.Kind == TraceRecordKind.Packet && PacketParser.TryParse(record.Data, record.LinkType, ref parsed))
            {
                byte[] packet = new byte[record.OriginalLength - parsed.NetworkOffset];
                record.Data[parsed.NetworkOffset..].CopyTo(packet);
                packets.Add(packet);
            }
        }

        return packets;
    }

    [DivertTheory]
    [InlineData("bulk-loss.pcapng")]
    [InlineData("ipv6.pcapng")]
    public void Replay_Capture_ComesBackByteForByte(string fixture)
    {
        List<byte[]> packets = ReadPackets(fixture);
        using StandInNetwork network = Start("tcp", ["delay 2ms"]);
        for (int i = 0; i < packets.Count; i++)
        {
            network.Send(packets[i], Address(i % 3 == 0, packets[i], hasChecksums: false));
        }

        Await(packets.Count);
        (ShimReport report, List<ImpairmentDecision> decisions) = network.Finish();

        Assert.Equal(packets.Select(Convert.ToHexString).Order(), _back.Select(packet => Convert.ToHexString(packet.Bytes)).Order());
        Assert.Equal(packets.Where((_, i) => i % 3 == 0).Select(Convert.ToHexString),
            _back.Where(packet => packet.Address.IsOutbound).Select(packet => Convert.ToHexString(packet.Bytes)));
        Assert.All(_back, packet => Assert.Equal((Interface, false), (packet.Address.Interface, packet.Address.HasChecksums)));
        Assert.Equal((packets.Count, packets.Count, 0), (report.Figures.Offered, report.Figures.Forwarded, report.Figures.Lost));
        Assert.Equal(packets.Count, decisions.Count(decision => decision.Action == ImpairmentAction.Forward));
    }

    // The log names each packet by its number in its direction, so that what comes back can be told byte for byte.
    [DivertTheory]
    [InlineData("bulk-loss.pcapng")]
    [InlineData("ipv6.pcapng")]
    public void Replay_CaptureOverAnImpairedPath_IsWhatTheLogSays(string fixture)
    {
        List<byte[]> packets = ReadPackets(fixture);
        using StandInNetwork network = Start("tcp", ["delay 20ms", "loss 3pct", "duplicate 2pct", "reorder 5pct:replace:1ms", "seed 4"], isOpen: true,
            "HOST_FILTER=true");
        for (int i = 0; i < packets.Count; i++)
        {
            network.Send(packets[i], Address(i % 3 == 0, packets[i], hasChecksums: false));
        }

        // What the match does not mean comes back at once: then the shim has all that was sent before.
        network.Send(Datagram(0), Address(isOut: true, Datagram(0)));
        Assert.True(SpinWait.SpinUntil(() => _back.Any(IsUntouched), Patience.Limit));
        (ShimReport report, List<ImpairmentDecision> decisions) = network.Finish();
        foreach (LinkDirection direction in new[] { LinkDirection.Out, LinkDirection.In })
        {
            bool isOut = direction == LinkDirection.Out;
            byte[][] sent = [.. packets.Where((_, i) => i % 3 == 0 == isOut)];
            IEnumerable<string> logged = decisions.Where(one => one.Direction == direction
                && one.Action is ImpairmentAction.Forward or ImpairmentAction.ForwardCopy)
                .Select(one => Convert.ToHexString(sent[one.PacketId - 1]));
            Assert.Equal(logged, _back.Where(packet => packet.Address.IsOutbound == isOut
                && !IsUntouched(packet)).Select(packet => Convert.ToHexString(packet.Bytes)));
        }

        Assert.Equal(report.Figures.Offered, decisions.Count(one => one.Action is ImpairmentAction.Forward) + report.Figures.Dropped);
        Assert.True(report.Figures is { Dropped: > 0, Reordered: > 0, Lost: 0, Passed: 1 });
    }

    static bool IsUntouched(StandInPacket packet) => packet.Bytes.SequenceEqual(Datagram(0));

    [DivertFact]
    public void Open_Handle_IsSetToTheDriversMaxima()
    {
        using StandInNetwork network = Start("udp dst port 5001 out", []);
        network.Finish();

        Assert.Equal(
            [
                "open 0 0 !impostor and (((protocol == 17 and (tcp? tcp.DstPort == 5001 : (udp? udp.DstPort == 5001 : false))) and outbound))",
                "set 0 16384", "set 1 16000", "set 2 33554432", "close 0, dropped 0",
            ],
            network.Notes);
    }

    [DivertFact]
    public void Filter_Raw_TakesTheTranslationsPlace()
    {
        using StandInNetwork network = Start("udp", ["delay 1ms"], isOpen: true, "HOST_FILTER=udp.DstPort == 5001 and inbound");
        network.Send(Datagram(1), Address(isOut: true, Datagram(1)));
        network.Send(Datagram(2), Address(isOut: false, Datagram(2)));
        network.Send(Datagram(3), Address(isOut: true, Datagram(3)));
        Await(3);
        (ShimReport report, _) = network.Finish();

        Assert.Equal([(1, true), (2, false), (3, true)], _back.Select(packet => (NumberOf(packet), packet.IsPassed)).Order());
        Assert.Equal(1, report.Figures.Offered);
    }

    // Damage must outlive the checksums that the hardware would have filled in: they are calculated before it is done.
    [DivertFact]
    public void Corrupt_ChecksumsLeftToHardware_AreFilledInBefore()
    {
        byte[] packet = Datagram(1);
        byte[] blank = [.. packet];
        (blank[10], blank[11], blank[26], blank[27]) = (0, 0, 0, 0);
        using StandInNetwork network = Start("udp", ["corrupt every:2"], isOpen: true, "STANDIN_DAMAGED=1");
        DivertAddress address = Address(isOut: true, blank);
        address.Bits &= ~((1u << 21) | (1u << 23)); // those of IP and UDP are not there
        network.Send(blank, in address);
        network.Send(blank, in address);
        Await(2);
        network.Finish();

        StandInPacket[] back = [.. _back];
        Assert.Equal(blank, back[0].Bytes);
        Assert.False(back[0].Address.HasChecksums);
        Assert.True(back[1].Address.HasChecksums);
        Assert.Equal(1, Enumerable.Range(0, packet.Length).Sum(i => int.PopCount(packet[i] ^ back[1].Bytes[i])));
    }

    [DivertFact]
    public void Duplicate_EitherWay_ComesBackTwice()
    {
        using StandInNetwork network = Start("udp", ["duplicate every:1"]);
        network.Send(Datagram(1), Address(isOut: true, Datagram(1)));
        network.Send(Datagram(2), Address(isOut: false, Datagram(2)));
        Await(4);
        (ShimReport report, _) = network.Finish();

        Assert.Equal([(1, true), (1, true), (2, false), (2, false)], _back.Select(packet => (NumberOf(packet), packet.Address.IsOutbound)));
        Assert.Equal((4, 0), (report.Figures.Forwarded, report.Figures.Lost));
    }

    [DivertFact]
    public void Impostors_OfOtherDrivers_AreLeftAlone()
    {
        using StandInNetwork network = Start("udp", ["loss 100pct"]);
        network.Send(Datagram(1), Address(isOut: true, Datagram(1)) with { IsImpostor = true });
        Await(1);

        Assert.True(_back.Single().IsPassed);
        Assert.Equal(0, network.Finish().Report.Figures.Offered);
    }

    // A word that is the checksum of all the others makes the sum FFFF, and the checksum 0 (RFC 1071 §1): Linux writes FFFF then, which a receiver adds up to
    // the same.
    [DivertFact]
    public void Send_ChecksumThatComesOutAsZero_IsRightInBothForms()
    {
        const int Checksum = 36;
        byte[] without = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(4000, 5001).Seq(1).Payload([0, 0]).Build();
        byte[] packet = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(4000, 5001).Seq(1).Payload(without[Checksum..(Checksum + 2)]).Build();
        Assert.Equal([0, 0], packet[Checksum..(Checksum + 2)]);
        byte[] asLinux = [.. packet];
        asLinux.AsSpan(Checksum, 2).Fill(0xFF);
        using StandInNetwork network = Start("tcp host 10.0.0.2 out", ["delay 1ms"]);
        network.Send(packet, Address(isOut: true, packet));
        network.Send(asLinux, Address(isOut: true, asLinux));
        Await(2);

        Assert.Equal([packet, asLinux], _back.Select(back => back.Bytes));
        Assert.Equal(2, network.Finish().Report.Figures.Forwarded);
    }

    [DivertFact]
    public void Loopback_LeavesOnly_AndIsImpaired()
    {
        byte[] packet = Datagram(1, "127.0.0.1", "127.0.0.1");
        using StandInNetwork network = Start("udp host 127.0.0.1 out", ["delay 1ms"]);
        network.Send(packet, Address(isOut: true, packet) with { IsLoopback = true });
        Await(1);

        Assert.True(_back.Single().Address is { IsLoopback: true, IsOutbound: true });
        Assert.Equal(1, network.Finish().Report.Figures.Forwarded);
    }

    // Both ways leave; whose a packet is tells them apart, and it goes back as it came.
    [DivertFact]
    public void Loopback_NearEndIsNamed_HasTwoDirections()
    {
        byte[] there = Datagram(1, "127.0.0.1", "127.0.0.2");
        byte[] back = Datagram(2, "127.0.0.2", "127.0.0.1");
        using StandInNetwork network = Start("udp host 127.0.0.1", ["duplicate in:every:1"], isOpen: true, "HOST_NEAR=127.0.0.1");
        network.Send(there, Address(isOut: true, there) with { IsLoopback = true });
        network.Send(back, Address(isOut: true, back) with { IsLoopback = true });
        Await(3);
        (_, List<ImpairmentDecision> decisions) = network.Finish();

        Assert.Equal([1, 2, 2], _back.Select(NumberOf));
        Assert.All(_back, packet => Assert.True(packet.Address is { IsLoopback: true, IsOutbound: true }));
        Assert.Equal([LinkDirection.Out, LinkDirection.In, LinkDirection.In, LinkDirection.In], decisions.Select(one => one.Direction));
    }

    [DivertFact]
    public void Process_OfTheFlowLayer_IsMatched()
    {
        using StandInNetwork network = Start("udp process 4711", ["loss 100pct"]);
        network.Send([], Flow(4000, 4711));
        network.Send([], Flow(4001, 4712));

        // Both flows are known when a later one is: the layer tells them in their order.
        Assert.True(SpinWait.SpinUntil(() => network.Notes.Count(note => note.StartsWith("open 2", StringComparison.Ordinal)) == 1, Patience.Limit));
        byte[] other = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Udp(4001, 5001).Payload(BitConverter.GetBytes(2)).Build();
        int rounds = 0;
        Assert.True(SpinWait.SpinUntil(() => IsFirstDropped(++rounds), Patience.Limit));

        (ShimReport report, _) = network.Finish();
        Assert.Equal((1, (2 * rounds) - 1), (report.Figures.Dropped, report.Figures.Passed));

        // Until the shim has looked up the name of the process its packets pass; the other's always do, in their turn.
        bool IsFirstDropped(int round)
        {
            network.Send(Datagram(1), Address(isOut: true, Datagram(1)));
            network.Send(other, Address(isOut: true, other));
            Assert.True(SpinWait.SpinUntil(() => _back.Count(packet => NumberOf(packet) == 2) == round, Patience.Limit));
            return _back.Count(packet => NumberOf(packet) == 1) < round;
        }
    }

    [DivertFact]
    public void Process_FlowLayerFails_VoidsTheRun()
    {
        using StandInNetwork network = Start("udp process 4711", ["loss 100pct"], variables: "STANDIN_FLOW_ERROR=1117");
        network.Send(Datagram(1), Address(isOut: true, Datagram(1)));
        Await(1);

        Assert.Equal(
            "WinDivert reported no more flows (error 1117, the system has refused, for a reason that WinDivert does not name): whose packets came afterwards "
                + "may not have been known",
            network.Finish().Report.Fault);
    }

    // From 10.0.0.1 to 10.0.0.2.
    static DivertAddress Flow(ushort port, uint process) => new()
    {
        Layer = DivertLayer.Flow,
        Event = DivertEvent.FlowEstablished,
        ProcessId = process,
        Flow = new FlowEnds(IpProtocol.Udp, new Endpoint(IpAddress.FromIpv4(0x0A00_0001), port), new Endpoint(IpAddress.FromIpv4(0x0A00_0002), 5001)),
    };

    // The shim takes nothing: eight batches of 255 packets wait in it and 16,384 in the driver, which drops its oldest for each that follows.
    [DivertFact]
    public void Queue_OfTheDriverOverflows_RunIsVoid()
    {
        const int Count = 20_000;
        using StandInNetwork network = Start("udp", ["delay 1ms"], isOpen: false);
        for (int i = 0; i < Count; i++)
        {
            network.Send(Datagram(i), Address(isOut: true, Datagram(i)));
        }

        // What is not meant comes back at once: then all that was sent before has come to the driver.
        byte[] other = new FrameBuilder().RawIp().Ip("10.0.0.1", "10.0.0.2").Tcp(1, 2).Build();
        network.Send(other, Address(isOut: true, other));
        Await(1);
        network.OpenGate();
        Await(1 + 16_384);
        (ShimReport report, _) = network.Finish();

        Assert.DoesNotContain("close 0, dropped 0", network.Notes);
        Assert.StartsWith("The run is void: WinDivert's own queue was so full that it may have dropped packets", report.Fault, StringComparison.Ordinal);
    }

    [DivertTheory]
    [InlineData(5, "administrator rights")]
    [InlineData(577, "signature")]
    [InlineData(1275, "memory integrity")]
    public void Open_Refused_IsSaidInWords(int code, string words)
    {
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => Start("udp", [], isOpen: true,
            FormattableString.Invariant($"STANDIN_OPEN_ERROR={code}")));

        Assert.Contains("refused: open WinDivert: ", refused.Message, StringComparison.Ordinal);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }
}
