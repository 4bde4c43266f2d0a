using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>An instant, and what is known by then about the time a round trip takes.</summary>
/// <param name="Time">The instant.</param>
/// <param name="LeastRtt">Shortest round trip between the capture point and the receiver so far, nanoseconds; 0 when none is known.</param>
readonly record struct Moment(TraceTime Time, long LeastRtt);
