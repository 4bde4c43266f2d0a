using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>An acknowledgment that tells nothing at all, kept until it is known what it may have answered.</summary>
/// <param name="Time">When it passed.</param>
/// <param name="LeastRtt">Shortest round trip to the receiver known then, nanoseconds.</param>
/// <param name="RoundTrip">A whole round trip, nanoseconds.</param>
/// <param name="MayBeNew">Whether it may have answered new data that is too old for the receiver.</param>
/// <param name="IsGrown">Whether its window has grown.</param>
readonly record struct Repeat(TraceTime Time, long LeastRtt, long RoundTrip, bool MayBeNew, bool IsGrown);
