using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Impairment.Cross;

/// <summary>Other traffic through the queue of a segment. It is not seen by anyone; what it does is take part of the rate and of the queue.</summary>
/// <param name="StartNanos">When it begins, ns from the start of the run.</param>
/// <param name="LengthNanos">How long it goes on, ns; the longest number for ever.</param>
public abstract record CrossSettings(long StartNanos, long LengthNanos);

/// <summary>TCP flows that send as much as they may.</summary>
/// <param name="Algorithm">Their congestion control.</param>
/// <param name="Flows">How many, 1 … 64.</param>
/// <param name="RttNanos">Their round-trip time without the queue, ns, at least 1.</param>
/// <param name="StartNanos">When they begin, ns from the start of the run.</param>
/// <param name="LengthNanos">How long they go on, ns.</param>
public sealed record CrossFlows(CongestionAlgorithm Algorithm, int Flows, long RttNanos, long StartNanos = 0, long LengthNanos = long.MaxValue)
    : CrossSettings(StartNanos, LengthNanos);

/// <summary>Packets of 1500 bytes at a constant rate, whatever becomes of them.</summary>
/// <param name="RateBitsPerSecond">The rate, at least 1 bit/s.</param>
/// <param name="StartNanos">When they begin, ns from the start of the run.</param>
/// <param name="LengthNanos">How long they go on, ns.</param>
public sealed record ConstantCross(long RateBitsPerSecond, long StartNanos = 0, long LengthNanos = long.MaxValue) : CrossSettings(StartNanos, LengthNanos);
