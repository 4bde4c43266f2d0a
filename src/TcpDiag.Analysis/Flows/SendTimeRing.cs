using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>Send times behind the oldest one, as a ring.</summary>
[InlineArray(Length)]
struct SendTimeRing
{
    /// <summary>Places: a power of two.</summary>
    public const int Length = 16;

    SendTime _first;
}
