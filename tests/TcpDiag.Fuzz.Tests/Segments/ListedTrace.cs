using System.Collections.Generic;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>A trace of Ethernet frames with their instants.</summary>
/// <param name="frames">The frames, and nanoseconds.</param>
sealed class ListedTrace(IReadOnlyList<(byte[] Bytes, long Time)> frames) : TraceReader
{
    int _next;

    public override string Path => "list";

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces { get; } = [new TraceInterface { Index = 0, LinkType = LinkType.Ethernet }];

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _next;

    public override bool TryRead(ref TraceRecord record)
    {
        if (_next == frames.Count)
        {
            return false;
        }

        (byte[] bytes, long time) = frames[_next++];
        record = default;
        record.Kind = TraceRecordKind.Packet;
        record.Time = new TraceTime(time);
        record.LinkType = LinkType.Ethernet;
        record.OriginalLength = bytes.Length;
        record.Data = bytes;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }
}
