using System;
using System.IO;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Captures;

/// <summary>Writes what passes a point as a .pcapng whose section says that it is simulated. Payload is left out, as by a snap length.</summary>
public sealed class PcapngCapture : ISegmentCapture, IDisposable
{
    readonly PcapngWriter _writer;
    readonly FrameWriter _frames;

    /// <summary>Starts a file.</summary>
    /// <param name="output">Where it goes; closed with the capture.</param>
    /// <param name="point">Where it is taken.</param>
    /// <param name="flow">The flow.</param>
    public PcapngCapture(Stream output, SegmentPoint point, SimulatedFlow flow)
    {
        ArgumentNullException.ThrowIfNull(flow);
        Point = point;
        _frames = flow.Negotiated().Frames();
        _writer = new PcapngWriter(output, new PcapngWriterOptions { Comment = flow.Remark(point) });
        _writer.WriteInterface(new TraceInterface { Index = 0, Name = "simulated", LinkType = LinkType.Ethernet });
    }

    /// <inheritdoc/>
    public SegmentPoint Point { get; }

    /// <summary>What is kept of a frame, bytes.</summary>
    public int SnapLength { get; init; } = int.MaxValue;

    /// <summary>Packets written.</summary>
    public long Packets { get; private set; }

    /// <inheritdoc/>
    public void OnSegment(in SimulatedPacket packet, TraceTime time)
    {
        Span<byte> frame = stackalloc byte[FrameWriter.MaxHeaderBytes];
        int length = _frames.Write(packet, frame);
        Packets++;
        _writer.WritePacket(new TraceRecord
        {
            Kind = TraceRecordKind.Packet,
            Time = time,
            Data = frame[..Math.Min(length, SnapLength)],
            LinkType = LinkType.Ethernet,
            OriginalLength = length + packet.Length,
        });
    }

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();
}
