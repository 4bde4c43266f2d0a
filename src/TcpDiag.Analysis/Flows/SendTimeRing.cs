using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>Send times behind the oldest one, as a ring.</summary>
[InlineArray(Length)]
struct SendTimeRing
{
    /// <summary>Send times it holds: with the oldest, which has its place in <see cref="FlightState"/>, 16.</summary>
    public const int Length = 15;

    SendTime _first;
}
