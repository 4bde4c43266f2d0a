using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>Which connection an event is of, when some of them are not analysed, and when very many have ended.</summary>
public sealed class StackConnectionTableTests
{
    const int EndsRemembered = 1 << 15;

    static readonly ConnectionPart Half = new(Prefix: 0, Bits: 1, Seed: 7);

    readonly StackEvent _event = new();
    long _time;

    // Their events name a TCB alone: to whom these belong has to be known, what they say has not.
    [Fact]
    public void OnEvent_ConnectionsOfAnotherPart_AreToldApartAndNotKept()
    {
        var table = new StackConnectionTable(Half, timelines: null);
        int wanted = 0;
        for (ushort port = 1; port <= 1000; port++)
        {
            bool isWanted = Half.Has(FlowKey.Of(Local(port), Remote, out _));
            wanted += isWanted ? 1 : 0;
            Assert.Equal(isWanted, table.OnEvent(Named(StackEventKind.Connected, tcb: port, port)) is not null);
            Assert.Equal(isWanted, table.OnEvent(Sent(tcb: port)) is not null);
        }

        Assert.InRange(wanted, 400, 600);
        Assert.Equal(wanted, table.Count);
        Assert.Equal(wanted, table.All.Count);
        Assert.All(table.All, connection => Assert.Equal((1L, (2L * connection.Local!.Value.Port) - 1), (connection.SegmentsSent, connection.Number)));
    }

    [Fact]
    public void OnEvent_TcbOfAnotherPartThatIsUsedAgain_IsOfThisPart()
    {
        ushort wanted = First(isWanted: true);
        ushort other = First(isWanted: false);
        var table = new StackConnectionTable(Half, timelines: null);
        Assert.Null(table.OnEvent(Named(StackEventKind.Connected, tcb: 5, other)));
        Assert.Null(table.OnEvent(Sent(tcb: 5)));
        Assert.NotNull(table.OnEvent(Named(StackEventKind.Connected, tcb: 5, wanted)));
        Assert.NotNull(table.OnEvent(Sent(tcb: 5)));
        StackConnection only = Assert.Single(table.All);
        Assert.Equal((wanted, 3L, 1L), (only.Local!.Value.Port, only.Number, only.SegmentsSent));
    }

    // Its TCB passes from one part to the other only where it is another connection.
    [Theory]
    [InlineData(StackEventKind.ConnectRequested, false)] // not bound yet, to the same host: the call that the next connection begins with
    [InlineData(StackEventKind.RttSample, true)]
    public void OnEvent_WithoutBoundEnds_IsOfTheOtherPartUnlessItOpens(StackEventKind kind, bool isOfOther)
    {
        var table = new StackConnectionTable(Half, timelines: null);
        Assert.Null(table.OnEvent(Named(StackEventKind.Connected, tcb: 5, First(isWanted: false))));
        Assert.Equal(isOfOther, table.OnEvent(Named(kind, tcb: 5, port: 0)) is null);
        Assert.Equal(isOfOther, table.OnEvent(Sent(tcb: 5)) is null);
    }

    // The kernel's own events have no TCB, and always both ends.
    [Fact]
    public void OnEvent_WithoutTcb_IsOfItsEnds()
    {
        var table = new StackConnectionTable(Half, timelines: null);
        Assert.Null(table.OnEvent(Named(StackEventKind.SegmentSent, tcb: 0, First(isWanted: false))));
        Assert.NotNull(table.OnEvent(Named(StackEventKind.SegmentSent, tcb: 0, First(isWanted: true))));
        Assert.Equal(2, table.All.Single().Number);
    }

    // Until its local end is bound nobody knows which part it is of: what came before counts.
    [Fact]
    public void OnEvent_BeforeItsEndsAreKnown_Counts()
    {
        var table = new StackConnectionTable(Half, timelines: null);
        ushort wanted = First(isWanted: true);
        Assert.NotNull(table.OnEvent(Named(StackEventKind.ConnectRequested, tcb: 5, port: 0)));
        Assert.NotNull(table.OnEvent(Sent(tcb: 5)));
        Assert.Equal(0, table.Count);
        Assert.NotNull(table.OnEvent(Named(StackEventKind.Connected, tcb: 5, wanted)));
        Assert.Equal((1, 1L), (table.Count, table.All.Single().SegmentsSent));
    }

    [Fact]
    public void OnEvent_AfterItsEnd_IsItsOwnUntilVeryManyOthersHaveEnded()
    {
        var table = new StackConnectionTable(default, timelines: null);
        table.OnEvent(Named(StackEventKind.Connected, tcb: 9, port: 9));
        table.OnEvent(Event(StackEventKind.Closed, tcb: 9));
        for (int i = 1; i <= EndsRemembered; i++)
        {
            Assert.Equal(1, table.OnEvent(Sent(tcb: 9))!.Number);
            ulong tcb = 1000 + (ulong)i;
            StackEvent opened = Named(StackEventKind.Connected, tcb, port: (ushort)(1 + (i % 60_000)));
            opened.Remote = Remote with { Port = (ushort)(1000 + (i / 60_000)) };
            table.OnEvent(opened);
            table.OnEvent(Event(StackEventKind.Closed, tcb));
        }

        StackConnection another = table.OnEvent(Sent(tcb: 9))!;
        Assert.Equal((3 * EndsRemembered) + 3, another.Number);
        Assert.Equal(EndsRemembered, table.All[0].SegmentsSent);
        Assert.Equal((3 * EndsRemembered) + 4, table.OnEvent(Named(StackEventKind.SegmentSent, tcb: 0, port: 9))!.Number);
    }

    // Of one whose ends no event names nothing is ever told: only so many wait for that.
    [Fact]
    public void OnEvent_MoreUnnamedConnectionsThanAreKept_BeginWhenTheyAreNamed()
    {
        const int Kept = 1 << 14;
        var table = new StackConnectionTable(default, timelines: null);
        for (ulong tcb = 1; tcb <= Kept + 1; tcb++)
        {
            Assert.Equal(tcb <= Kept, table.OnEvent(Sent(tcb)) is not null);
        }

        StackConnection late = table.OnEvent(Named(StackEventKind.SegmentSent, tcb: Kept + 1, port: 1))!;
        StackConnection opened = table.OnEvent(Named(StackEventKind.Connected, tcb: Kept + 2, port: 2))!;
        Assert.Equal((true, false, Kept + 2), (late.HasLostEvents, opened.HasLostEvents, table.All.Count));
    }

    // A bound against made-up events.
    [Fact]
    public void NameOf_MoreProcessesThanAMachineHas_KnowsTheFirst()
    {
        var table = new StackConnectionTable(default, timelines: null);
        for (uint process = 1; process <= 70_000; process++)
        {
            StackEvent named = Event(StackEventKind.ProcessNamed, tcb: 0);
            (named.ProcessId, named.Text) = (process, "a.exe");
            table.OnEvent(named);
        }

        StackEvent renamed = Event(StackEventKind.ProcessNamed, tcb: 0);
        (renamed.ProcessId, renamed.Text) = (1, "b.exe");
        table.OnEvent(renamed);
        Assert.Equal(("b.exe", "a.exe", null), (table.NameOf(1), table.NameOf(1 << 16), table.NameOf((1 << 16) + 1)));
    }

    static Endpoint Remote => new(IpAddress.FromIpv4(0x0A000002), 443);

    // Another address for each: a part has all connections between two hosts.
    static Endpoint Local(ushort port) => new(IpAddress.FromIpv4(0x0A010000u + port), port);

    static ushort First(bool isWanted) => Enumerable.Range(1, 1000).Select(port => (ushort)port)
        .First(port => Half.Has(FlowKey.Of(Local(port), Remote, out _)) == isWanted);

    StackEvent Sent(ulong tcb)
    {
        StackEvent sent = Event(StackEventKind.SegmentSent, tcb);
        sent.Set(StackField.SeqNo, 1);
        sent.Set(StackField.Bytes, 1000);
        return sent;
    }

    StackEvent Named(StackEventKind kind, ulong tcb, ushort port)
    {
        StackEvent named = Event(kind, tcb);
        (named.Local, named.Remote) = (Local(port), Remote);
        return named;
    }

    StackEvent Event(StackEventKind kind, ulong tcb)
    {
        _event.Reset(kind, new TraceTime(++_time), "Microsoft-Windows-TCPIP");
        _event.Tcb = tcb;
        return _event;
    }
}
