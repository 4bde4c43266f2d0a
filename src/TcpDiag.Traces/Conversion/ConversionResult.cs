namespace TcpDiag.Traces.Conversion;

/// <summary>What a conversion wrote.</summary>
/// <param name="Packets">Packets.</param>
/// <param name="Events">Stack events, as journal entries.</param>
/// <param name="Interfaces">Interfaces.</param>
/// <param name="Bytes">Size of the result.</param>
public sealed record ConversionResult(long Packets, long Events, int Interfaces, long Bytes);
