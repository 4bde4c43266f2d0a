using System.Runtime.InteropServices;

namespace TcpDiag.Probe.Receiving;

/// <summary>The pretended network of a probe.</summary>
[StructLayout(LayoutKind.Auto)]
public readonly record struct ProbeSettings
{
    /// <summary>The usual one: 40 ms and 32 segments.</summary>
    public ProbeSettings()
    {
    }

    /// <summary>How long an acknowledgment waits, ns: the round trip that is emulated, beside the path's own.</summary>
    public long DelayNanos { get; init; } = 40_000_000;

    /// <summary>The receive window in full segments: a flight is spread over the round trip, so it also sets the distance between acknowledgments.</summary>
    public int FlightSegments { get; init; } = 32;

    /// <summary>The MSS that is announced, bytes (RFC 9293 §3.7.1).</summary>
    public int Mss { get; init; } = 1460;

    /// <summary>Distance between acknowledgments, ns.</summary>
    public long SpacingNanos => DelayNanos / FlightSegments;
}
