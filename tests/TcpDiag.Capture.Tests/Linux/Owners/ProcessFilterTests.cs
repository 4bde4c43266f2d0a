using System;
using System.Collections.Generic;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Linux.Owners;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Owners;

public sealed class ProcessFilterTests : IRecordWriter
{
    static readonly TraceInterface[] Interfaces = [new() { Index = 0, LinkType = LinkType.Ethernet }];
    static readonly Endpoint Local = ConnectionSelectorTests.End("10.0.0.1", 1000);
    static readonly Endpoint Remote = ConnectionSelectorTests.End("10.0.0.2", 2000);

    readonly OwnerTable _owners = new();
    readonly List<PendingRecord> _written = [];

    void IRecordWriter.Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data) => _written.Add(record);

    [Theory]
    [InlineData("process curl", "curl", true)]
    [InlineData("process CURL", "curl", true)]
    [InlineData("process 7", "curl", true)]
    [InlineData("process 8", "curl", false)]
    [InlineData("process curl", "wget", false)]
    [InlineData("process curl", null, false)]
    [InlineData("not process curl", null, true)]
    [InlineData("not process curl", "curl", false)]
    [InlineData("process curl dst port 2000 out", "curl", true)]
    [InlineData("process curl dst port 2000 in", "curl", false)]
    [InlineData("process curl or port 2000", null, true)]
    public void Write_Packet_IsJudgedWithItsProcess(string match, string? process, bool expected)
    {
        Own(process);
        ProcessFilter filter = Create(match);
        filter.Write(default, Packet(PacketDirection.Outbound), new FrameBuilder().Build());

        Assert.Equal(expected ? 1 : 0, _written.Count);
        Assert.Equal(expected ? 0 : 1, filter.Packets(0));
    }

    [Fact]
    public void Write_BothEndsHere_EitherProcessMayBeMeant()
    {
        Own("curl");
        _owners.Add(new(Remote, Local, Inode: 3), new(9, "nginx"), now: 0);
        foreach (string match in (string[])["process curl", "process nginx", "process wget"])
        {
            Create(match).Write(default, Packet(PacketDirection.Inbound), new FrameBuilder().Build());
        }

        Assert.Equal(2, _written.Count);
    }

    [Fact]
    public void Write_NotTcpOrNotIp_IsOfNoProcess()
    {
        Own("curl");
        ProcessFilter filter = Create("process curl");
        filter.Write(default, Packet(PacketDirection.Outbound), new FrameBuilder().Udp(1000, 2000).Build());
        filter.Write(default, Packet(PacketDirection.Outbound), new byte[60]);

        Assert.Empty(_written);
        Assert.Equal(2, filter.Packets(0));
        Assert.Empty(filter.Remarks());
    }

    [Fact]
    public void Remarks_LeftOut_ShowWhetherTheProcessIsKnownByNow()
    {
        ProcessFilter filter = Create("process curl");
        filter.Write(default, Packet(PacketDirection.Outbound), new FrameBuilder().Build());
        filter.Write(default, Packet(PacketDirection.Inbound), new FrameBuilder().Ip("10.0.0.2", "10.0.0.1").Tcp(2000, 1000).Build());
        Assert.Equal(["2 packets of TCP connections are left out for which no process was found: passed on, closed before, or opened for too short a "
            + "time"], filter.Remarks());

        Own("curl");
        Assert.Equal(["2 packets of connections asked for are missing: which process holds them was not known in time"], filter.Remarks());
        Own("wget");
        Assert.Empty(filter.Remarks());
    }

    [Theory]
    [InlineData(StackEventKind.CwndSample, SocketSampler.Source, 0, 1)]
    [InlineData(StackEventKind.CwndSample, "tcp:tcp_probe", 1, 0)]
    [InlineData(StackEventKind.Reset, "tcp:tcp_send_reset", 1, 0)]
    public void Write_EventOfAnother_IsLeftOutAndCounted(StackEventKind kind, string source, int events, int samples)
    {
        Own("wget");
        ProcessFilter filter = Create("process curl");
        filter.Write(default, Event, Encode(kind, source, Local, Remote));

        Assert.Equal((0, events, samples), (_written.Count, filter.Events, filter.Samples));
    }

    [Fact]
    public void Write_EventOfTheProcessOrOfNoConnection_IsKept()
    {
        Own("curl");
        ProcessFilter filter = Create("in src host 10.0.0.2 process curl");
        filter.Write(default, Event, Encode(StackEventKind.Reset, "tcp:tcp_send_reset", Local, Remote));
        filter.Write(default, Event, Encode(StackEventKind.EventsLost, "tracefs", null, null));

        Assert.Equal(2, _written.Count);
    }

    static PendingRecord Event => new(0, 0, PendingRecord.NoInterface, 0, default);

    static PendingRecord Packet(PacketDirection direction) => new(0, 0, 0, 0, direction);

    static byte[] Encode(StackEventKind kind, string source, Endpoint? local, Endpoint? remote)
    {
        var stackEvent = new StackEvent();
        stackEvent.Reset(kind, new(1), source);
        (stackEvent.Local, stackEvent.Remote) = (local, remote);
        byte[] entry = new byte[JournalEncoder.MaxLength(stackEvent)];
        return entry[..JournalEncoder.Encode(stackEvent, entry)];
    }

    ProcessFilter Create(string match) => new(MatchParser.Parse(match), _owners, this, Interfaces);

    void Own(string? process)
    {
        if (process is not null)
        {
            _owners.Add(new(Local, Remote, Inode: 2), new(7, process), now: 0);
        }
    }
}
