namespace TcpDiag.Traces;

/// <summary>Something in a trace file that could not be read as it should, and was stepped over.</summary>
/// <param name="OffsetBytes">Where in the (decompressed) file.</param>
/// <param name="Message">One line: what was expected, what was found.</param>
public sealed record TraceProblem(long OffsetBytes, string Message);
