using System;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Processes of flows, as the driver's flow layer reports them.</summary>
public class FlowTableTests
{
    readonly FlowTable _flows = new();

    static FlowEnds Ends(ushort port)
    {
        Assert.True(IpAddress.TryParse("10.0.0.1", out IpAddress local));
        Assert.True(IpAddress.TryParse("2001:db8::9", out IpAddress remote));
        return new FlowEnds(IpProtocol.Udp, new Endpoint(local, port), new Endpoint(remote, 53));
    }

    static DivertAddress Event(DivertEvent what, ushort port, uint process) =>
        new() { Layer = DivertLayer.Flow, Event = what, ProcessId = process, Flow = Ends(port) };

    void Apply(DivertEvent what, ushort port, uint process = 0) => _flows.Apply(Event(what, port, process), id => FormattableString.Invariant($"p{id}"));

    [Fact]
    public void TryFind_EstablishedFlow_HasItsProcess()
    {
        Apply(DivertEvent.FlowEstablished, 1, 77);

        Assert.True(_flows.TryFind(Ends(1), out FlowOwner owner));
        Assert.Equal(new FlowOwner(77, "p77"), owner);
        Assert.False(_flows.TryFind(Ends(2), out _));
    }

    [Fact]
    public void TryFind_EndedFlow_KeepsItsProcessUntilTheEndsAreUsedAnew()
    {
        Apply(DivertEvent.FlowEstablished, 1, 77);
        Apply(DivertEvent.FlowDeleted, 1);
        Assert.True(_flows.TryFind(Ends(1), out FlowOwner owner));
        Assert.Equal(77, owner.Id);

        Apply(DivertEvent.FlowEstablished, 1, 78);
        Assert.True(_flows.TryFind(Ends(1), out owner));
        Assert.Equal(new FlowOwner(78, "p78"), owner);
    }

    [Fact]
    public void Add_TableFull_ForgetsThoseThatEndedOnly()
    {
        for (ushort port = 1; port <= 16_384; port++)
        {
            Apply(DivertEvent.FlowEstablished, port, port);
        }

        Apply(DivertEvent.FlowDeleted, 1);
        Apply(DivertEvent.FlowDeleted, 2);
        Apply(DivertEvent.FlowEstablished, 2, 99);
        Apply(DivertEvent.FlowEstablished, 20_000, 5);

        Assert.False(_flows.TryFind(Ends(1), out _));
        Assert.True(_flows.TryFind(Ends(2), out FlowOwner renewed));
        Assert.True(_flows.TryFind(Ends(3), out _));
        Assert.Equal(99, renewed.Id);
    }
}
