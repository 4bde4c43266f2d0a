namespace TcpDiag.Impairment;

/// <summary>A number of bytes, packets or bandwidth–delay products: the size of a queue, or a depth in it.</summary>
/// <param name="Amount">How much; at least 0.</param>
/// <param name="Unit">Of what.</param>
public sealed record QueueDepth(double Amount, QueueUnit Unit);
