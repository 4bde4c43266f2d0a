using System;

namespace TcpDiag.Analysis.Results;

/// <summary>A full-sized segment that was lost each time it was sent, beside smaller ones that arrived.</summary>
/// <param name="LostBytes">Payload of the segment, bytes.</param>
/// <param name="Retransmissions">How often it was sent again in full size; none of them was acknowledged.</param>
/// <param name="PassedBytes">Payload of the smaller segments that were acknowledged in its place, bytes; null when none was.</param>
/// <param name="HadPassed">Whether segments of full size had arrived before: the path has changed.</param>
/// <param name="First">Its first retransmission.</param>
/// <param name="Last">Its last retransmission.</param>
/// <param name="Time">From the last progress before it to the acknowledgment of the smaller ones, or to the end of what was seen, nanoseconds.</param>
public sealed record BlackHole(int LostBytes, int Retransmissions, int? PassedBytes, bool HadPassed, TracePosition First, TracePosition Last, long Time);

/// <summary>Small segments that left only when the small segment before had been acknowledged, which the other end had held back.</summary>
/// <param name="Count">Segments that waited so.</param>
/// <param name="Delayed">Acknowledgments that were held back while nothing else was in flight, whatever followed.</param>
/// <param name="Time">By how much those waited for came later than the path explains, together, nanoseconds.</param>
/// <param name="Longest">The longest of these waits, nanoseconds.</param>
/// <param name="First">The first segment that had waited.</param>
/// <param name="Worst">The one that had waited longest.</param>
public sealed record NagleWaits(int Count, int Delayed, long Time, long Longest, TracePosition First, TracePosition Worst);

/// <summary>What was in flight when something was lost; what was sent before the repairs of others had ended was lost with these.</summary>
/// <param name="Flight">When the first loss was repaired, bytes.</param>
/// <param name="MinFlight">The smallest when any was, bytes.</param>
public sealed record LossOnset(long Flight, long MinFlight);

/// <summary>How fast data got through between losses.</summary>
/// <param name="Intervals">Intervals between losses that were looked at.</param>
/// <param name="BitsPerSecond">Mean rate at which data was acknowledged from one loss to the next, bits per second.</param>
/// <param name="Variation">Standard deviation of those rates over their mean.</param>
/// <param name="Spread">Standard deviation of what got through in an interval over its mean: 1 of random losses.</param>
/// <param name="BurstBytes">What had come through before the first loss beyond that rate, bytes.</param>
public sealed record LossPaceSummary(int Intervals, double BitsPerSecond, double Variation, double Spread, long BurstBytes);

/// <summary>A token bucket that may have dropped what was lost.</summary>
/// <param name="Intervals">Intervals between losses that were looked at.</param>
/// <param name="BitsPerSecond">Its rate, bits per second of payload.</param>
/// <param name="Bytes">Its depth, bytes of payload.</param>
/// <param name="Mismatch">
/// Tokens that it would have had left at the losses, of those that it gained before: 0 where it fits, 0.2 and more of random losses.
/// </param>
public sealed record TokenBucketSummary(int Intervals, double BitsPerSecond, long Bytes, double Mismatch);

/// <summary>Ends of bursts that a probe sent again (RFC 8985 §7).</summary>
/// <param name="Count">Such ends.</param>
/// <param name="Segments">Wire segments sent again of them.</param>
/// <param name="Time">From the last news to each probe, together, nanoseconds.</param>
public sealed record TailSummary(int Count, long Segments, long Time);

/// <summary>What one end sent again, and its keep-alives, without any answer to the end.</summary>
/// <param name="Retransmissions">Segments sent again.</param>
/// <param name="KeepAlives">Keep-alives.</param>
/// <param name="HasData">Whether there was any data among them: else nobody waits for the answer.</param>
/// <param name="First">The first of them.</param>
/// <param name="Last">The last of them.</param>
public sealed record UnansweredSummary(int Retransmissions, int KeepAlives, bool HasData, TracePosition First, TracePosition Last);

/// <summary>Bursts after pauses that began with a small window though far more had been in flight before.</summary>
/// <param name="Count">Such bursts.</param>
/// <param name="WindowBytes">What left in their first round trip, at most, bytes.</param>
/// <param name="First">First data of the first of them.</param>
public sealed record RestartSummary(int Count, int WindowBytes, TracePosition First);

/// <summary>Data that was sent again after the receiver's SACKs had reported nothing new while it was under way.</summary>
/// <param name="Segments">Wire segments sent again.</param>
/// <param name="First">The first of them.</param>
/// <param name="Last">The last of them.</param>
public sealed record DroppedData(int Segments, TracePosition First, TracePosition Last);

/// <summary>What an end's first reset broke off, that no FIN had announced.</summary>
[Flags]
public enum BreakOff : byte
{
    /// <summary>There was no reset, or an end had closed before it.</summary>
    None = 0,

    /// <summary>Neither end had closed.</summary>
    Open = 1,

    /// <summary>Two segments or more of the end that sent it were in flight.</summary>
    OwnData = 2,

    /// <summary>As much of the other end was.</summary>
    PeerData = 4,

    /// <summary>
    /// It carries no acknowledgment (RFC 9293 §3.5.2): a program that breaks off has its stack send one, and who knows no such connection does not.
    /// </summary>
    Answer = 8,
}
