namespace TcpDiag.Analysis;

/// <summary>What the path lost of one direction's data.</summary>
/// <param name="Packets">Wire segments lost.</param>
/// <param name="Evidence">What the count rests on.</param>
/// <param name="Samples">Wire segments looked at.</param>
public sealed record LossSummary(long Packets, Evidence Evidence, long Samples);
