namespace TcpDiag.Traces.StackEvents;

/// <summary>One thing to do with a payload.</summary>
/// <param name="Action">What.</param>
/// <param name="Offset">Where, counted from the end of the last part of variable length.</param>
/// <param name="Size">Bytes of a fixed-size field.</param>
/// <param name="Argument">A <see cref="StackField"/>, or the slot that a length is kept in.</param>
/// <param name="Factor">What a number is multiplied with.</param>
readonly record struct PlanStep(PlanAction Action, int Offset, int Size = 0, int Argument = 0, int Factor = 1);
