using System.Collections.Generic;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Browser.Tests;

/// <summary>A trace of many connections, a segment each: more rows than a window of the table shows.</summary>
/// <param name="count">How many.</param>
sealed class CrowdTrace(int count) : TraceReader
{
    int _next;

    public override string Path => "crowd";

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces { get; } = [new TraceInterface { Index = 0, LinkType = LinkType.Ethernet }];

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _next;

    public override bool TryRead(ref TraceRecord record)
    {
        if (_next == count)
        {
            return false;
        }

        record = default;
        record.Kind = TraceRecordKind.Packet;
        record.Time = new TraceTime(++_next * 1_000_000L);
        record.Data = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp((ushort)(50000 + _next), 443).Flags(FrameBuilder.Ack).PayloadLength(100).Build();
        record.OriginalLength = record.Data.Length;
        record.LinkType = LinkType.Ethernet;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }
}
