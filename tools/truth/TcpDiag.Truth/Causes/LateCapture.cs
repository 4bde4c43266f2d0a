using System.IO;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Causes;

/// <summary>A capture that begins during the transfer, as a ring or a capture started late does: without SYNs, and with part of the data under way.</summary>
/// <param name="output">Where it goes.</param>
/// <param name="point">Where it is taken.</param>
/// <param name="flow">The transfer.</param>
/// <param name="start">When it begins.</param>
sealed class LateCapture(Stream output, SegmentPoint point, SimulatedFlow flow, TraceTime start) : ISegmentCapture, System.IDisposable
{
    readonly PcapngCapture _capture = new(output, point, flow);

    /// <inheritdoc/>
    public SegmentPoint Point => point;

    /// <inheritdoc/>
    public void OnSegment(in SimulatedPacket packet, TraceTime time)
    {
        if (time >= start)
        {
            _capture.OnSegment(packet, time);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _capture.Dispose();
}
