using System;

namespace TcpDiag.Traces.Etl;

/// <summary>One extended data item of an event, a view on its record.</summary>
/// <param name="type">What the data is.</param>
/// <param name="data">The data without head and padding.</param>
public readonly ref struct EtlExtendedItem(EtlExtendedItemType type, ReadOnlySpan<byte> data)
{
    /// <summary>What the data is; may be a number this enumeration does not name.</summary>
    public EtlExtendedItemType Type { get; } = type;

    /// <summary>The data without head and padding.</summary>
    public ReadOnlySpan<byte> Data { get; } = data;
}
