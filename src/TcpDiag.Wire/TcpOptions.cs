namespace TcpDiag.Wire;

/// <summary>The TCP options that matter to an analysis. Which fields mean something follows from <see cref="Kinds"/>.</summary>
public struct TcpOptions
{
    /// <summary>The options present.</summary>
    public TcpOptionKinds Kinds;

    /// <summary>Maximum segment size, bytes.</summary>
    public ushort Mss;

    /// <summary>Window scale as sent, shift count; RFC 7323 §2.3 takes more than 14 for 14.</summary>
    public byte WindowScale;

    /// <summary>Whole SACK blocks captured, 0 … 4.</summary>
    public byte SackBlocks;

    /// <summary>Offset in the frame of the first SACK block.</summary>
    public int SackOffset;

    /// <summary>TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>TSecr; 0 without timestamps, significant only in segments with ACK.</summary>
    public uint TsEcr;

    /// <summary>Whether any of the options is present.</summary>
    /// <param name="kinds">The options asked for.</param>
    /// <returns>True when at least one of them is there.</returns>
    public readonly bool Has(TcpOptionKinds kinds) => (Kinds & kinds) != 0;
}
