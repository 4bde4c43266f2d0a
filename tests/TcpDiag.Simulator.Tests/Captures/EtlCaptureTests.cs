using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Captures;

/// <summary>A simulated host as the .etl of a build: what it did stands in the file, event by event, where that build would have it.</summary>
public sealed class EtlCaptureTests
{
    const int Segments = 40;
    const int Lost = 10; // the eighth segment of data: two packets of the handshake are before the first

    public static TheoryData<int> EachBuild => new(10_586, 14_393, 17_763, 19_041, 22_000, 22_621, 26_100, 26_200);

    [Theory]
    [MemberData(nameof(EachBuild))]
    public void EverySegment_HasItsEventAndThenItsPacket(int build)
    {
        Recording made = Record(build, Settings(Lost));
        Assert.Equal(build, made.Facts.WindowsBuild);
        Assert.Equal("Simulated by tcpdiag: sender rfc, captured at the sender. No network was involved.", made.Facts.Simulation);

        List<(SequenceNumber Seq, long Bytes)> sent =
            [.. made.Of(StackEventKind.SegmentSent).Select(told => (new SequenceNumber((uint)told[StackField.SeqNo]), told[StackField.Bytes]))];
        Assert.Equal(made.Data, sent);
        Assert.Equal(Segments + 1, sent.Count); // one of them twice
        Assert.Equal(made.Data.Select(_ => true), made.IsToldBefore); // each packet of data comes after as many events as packets, and its own
    }

    [Theory]
    [MemberData(nameof(EachBuild))]
    public void Connection_IsOpenedPostedToAndClosed(int build)
    {
        Recording made = Record(build, Settings());
        Assert.Single(made.Of(StackEventKind.Connected));
        Assert.Single(made.Of(StackEventKind.ConnectionRundown));
        Assert.Single(made.Of(StackEventKind.ConnectionSummary));
        Assert.Single(made.Of(StackEventKind.TemplateParameters));
        Assert.Equal(1_000L * Segments, made.Of(StackEventKind.ConnectionSummary)[0][StackField.DataBytesOut]);
        // AFD and TCPIP each tell what was posted.
        Assert.Equal(2_000L * Segments, made.Of(StackEventKind.SendPosted).Sum(told => told[StackField.Bytes]));
        Assert.Equal(1_000L * Segments, made.Of(StackEventKind.AckReceived).Sum(told => told[StackField.Bytes]));
    }

    // IW 10 of 1000 bytes; the handshake took 100 ms, so that SRTT is 100,000 µs; RTO is 100 + 4 × 50 = 300 ms, and 1,000 ms by its floor (RFC 6298 §2.2,
    // §2.4).
    [Fact]
    public void FirstSegment_TellsTheStateOfTheStack()
    {
        Recording made = Record(26_100, Settings());
        Dictionary<StackField, long> first = made.Of(StackEventKind.SegmentSent)[0];
        Assert.Equal((10_000, 100_000, 1_000), (first[StackField.Cwnd], first[StackField.Srtt], first[StackField.Rto]));
        Assert.Equal(first[StackField.SeqNo], first[StackField.SndUna]);
    }

    // All of the window is lost, and what repeats it: the timer expires twice.
    [Fact]
    public void Timeouts_AreRoundsThatAreCounted()
    {
        SimulatedFlow flow = SimulatedRun.Flow(2) with { Sender = SimulatedRun.Flow(2).Sender with { HasTailLossProbe = false } };
        Recording made = Record(26_100, Settings(3, 4, 5), flow);
        Assert.Equal([1, 2], made.Of(StackEventKind.RetransmissionTimeout).Select(told => told[StackField.RexmitCount]));
    }

    // The last segment is lost: a probe repeats it.
    [Fact]
    public void Probe_IsTimerAndSegment()
    {
        Recording made = Record(26_100, Settings(Segments + 2));
        IReadOnlyList<Dictionary<StackField, long>> probes = made.Of(StackEventKind.TailLossProbe);
        Assert.Equal(2, probes.Count);
        Assert.Equal(2, probes[0][StackField.Action]); // TimerFired
        Assert.Equal((uint)made.Data[^1].Seq.Value, (uint)probes[1][StackField.SeqNo]);
    }

    // 22000 has the event of the window, earlier builds that of RACK: a quarter of min_RTT, 100 ms (RFC 8985 §6.2 step 4), once reordering is seen or recovery
    // begins.
    [Theory]
    [InlineData(22_000, StackEventKind.ReoWndUpdated)]
    [InlineData(18_362, StackEventKind.RackUpdated)]
    public void ReorderingWindow_IsToldWhereItChanges(int build, StackEventKind kind)
    {
        Recording made = Record(build, Settings(Lost));
        Assert.Contains(made.Of(kind), told => told[StackField.ReoWnd] == 25_000);
    }

    [Fact]
    public void Receiver_TellsWhatArrivedAndWasRead()
    {
        Recording made = Record(26_100, Settings(Lost), point: SegmentPoint.Receiver);
        Assert.Equal(1_000L * Segments, made.Of(StackEventKind.SegmentReceived).Sum(told => told[StackField.Bytes]));
        Assert.Equal(1_000L * Segments, made.Of(StackEventKind.DataRead).Sum(told => told[StackField.Bytes]));
        Assert.Single(made.Of(StackEventKind.Accepted));
    }

    [Fact]
    public void Ipv6_HasItsAddressesInTheEvents()
    {
        Recording made = Record(26_100, Settings(), SimulatedRun.Flow(Segments) with { IsIpv6 = true, Mtu = 1_072 });
        Assert.Equal("[fd00::1]:50000 [fd00::2]:443", made.Ends);
    }

    [DissectFact]
    public void DissectReadsAsManyRecords()
    {
        string path = Path.GetTempFileName();
        try
        {
            Write(path, 26_100, Settings(Lost), SimulatedRun.Flow(Segments), SegmentPoint.Sender);
            const string Count = "import sys\nfrom dissect.etl.etl import ETL\nprint(sum(1 for e in ETL(open(sys.argv[1], 'rb'))))";
            int records = Read(path).Records;
            Assert.Equal($"{records + 1}", ExternalProgram.Run(Peers.DissectPython!, "-c", Count, path).Lines.Single()); // the header is a record
        }
        finally
        {
            File.Delete(path);
        }
    }

    static TcpDiag.Impairment.EmulatorSettings Settings(params int[] lost) => lost.Length == 0
        ? SimulatedRun.Settings("rtt 100ms")
        : SimulatedRun.Settings("rtt 100ms", $"loss out:list:{string.Join('+', lost)}");

    static Recording Record(int build, TcpDiag.Impairment.EmulatorSettings path, SimulatedFlow? flow = null, SegmentPoint point = SegmentPoint.Sender)
    {
        string file = Path.GetTempFileName();
        try
        {
            Write(file, build, path, flow ?? SimulatedRun.Flow(Segments), point);
            return Read(file);
        }
        finally
        {
            File.Delete(file);
        }
    }

    static void Write(string file, int build, TcpDiag.Impairment.EmulatorSettings path, SimulatedFlow flow, SegmentPoint point)
    {
        using EtlCapture capture = new(File.Create(file), point, flow, build);
        new Simulation(flow, path, [capture]).Run();
    }

    static Recording Read(string file)
    {
        using TraceReader reader = TraceFile.Open(file);
        Recording recording = new(reader.System);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            recording.Add(record);
        }

        Assert.Empty(reader.Problems);
        return recording;
    }

    sealed class Recording(SystemFacts facts)
    {
        readonly List<(StackEventKind Kind, Dictionary<StackField, long> Fields)> _told = [];
        ParsedPacket _packet;

        public SystemFacts Facts => facts;

        public List<(SequenceNumber Seq, long Bytes)> Data { get; } = [];

        public List<bool> IsToldBefore { get; } = [];

        public string Ends { get; private set; } = string.Empty;

        public int Records { get; private set; }

        public IReadOnlyList<Dictionary<StackField, long>> Of(StackEventKind kind) => [.. _told.Where(one => one.Kind == kind).Select(one => one.Fields)];

        public void Add(in TraceRecord record)
        {
            Records++;
            if (record.Event is { } told && record.Kind == TraceRecordKind.StackEvent)
            {
                Dictionary<StackField, long> fields = [];
                foreach (StackField field in Enum.GetValues<StackField>())
                {
                    if (told.TryGet(field, out long value))
                    {
                        fields[field] = value;
                    }
                }

                _told.Add((told.Kind, fields));
                Ends = told.Kind == StackEventKind.Connected ? $"{told.Local} {told.Remote}" : Ends;
            }
            else if (PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref _packet) && _packet.PayloadLength > 0)
            {
                Data.Add((_packet.Sequence, _packet.PayloadLength));
                IsToldBefore.Add(_told.Count(one => one.Kind == StackEventKind.SegmentSent) == Data.Count);
            }
        }
    }
}
