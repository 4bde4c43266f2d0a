using System.Collections.Generic;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Browser.Tests;

/// <summary>A trace of one segment whose process bears a name made to break a page.</summary>
/// <param name="name">The name.</param>
sealed class HostileTrace(string name) : TraceReader
{
    readonly StackEvent _event = new();
    int _next;

    public override string Path => name.Replace('/', '_');

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces { get; } = [new TraceInterface { Index = 0, LinkType = LinkType.Ethernet }];

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _next;

    public override bool TryRead(ref TraceRecord record)
    {
        record = default;
        record.Time = new TraceTime(++_next * 1_000_000L);
        record.Kind = _next == 1 ? TraceRecordKind.Packet : TraceRecordKind.StackEvent;
        switch (_next)
        {
            case 1:
                record.Data = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(50000, 443).Flags(FrameBuilder.Ack).PayloadLength(100).Build();
                record.OriginalLength = record.Data.Length;
                record.LinkType = LinkType.Ethernet;
                return true;
            case 2:
                record.Event = Tell(StackEventKind.ProcessNamed, record.Time);
                _event.Text = name;
                return true;
            case 3:
                record.Event = Tell(StackEventKind.Connected, record.Time);
                _event.Tcb = 1;
                _event.Local = End("10.0.0.1", 50000);
                _event.Remote = End("10.0.0.2", 443);
                return true;
            default:
                return false;
        }
    }

    protected override void Dispose(bool disposing)
    {
    }

    StackEvent Tell(StackEventKind kind, TraceTime time)
    {
        _event.Reset(kind, time, "test");
        _event.ProcessId = 42;
        return _event;
    }

    static Endpoint End(string address, ushort port) => new(IpAddress.TryParse(address, out IpAddress parsed) ? parsed : default, port);
}
