using System;

namespace TcpDiag.Analysis.Intake;

/// <summary>How many connections a trace may have to be analysed at once.</summary>
/// <param name="Connections">So many; what events tell of one counts as two.</param>
/// <param name="Told">Told every few thousand records how many there are so far; may wait, or end the work by an exception.</param>
public readonly record struct ConnectionLimit(int Connections, Action<int>? Told = null)
{
    /// <summary>As many as there are.</summary>
    public static ConnectionLimit None { get; } = new(int.MaxValue);
}
