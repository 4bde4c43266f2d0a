using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>One interface of the current section: what its packets need at hand.</summary>
/// <param name="trace">What the reader shows of it.</param>
/// <param name="scale">How its time stamps count.</param>
/// <param name="description">Hash of the block that describes it; empty outside of recordings in pieces.</param>
sealed class PcapngInterface(TraceInterface trace, TimestampScale scale, byte[] description)
{
    /// <summary>How its time stamps count. A field, so that it is not copied for every packet.</summary>
    public readonly TimestampScale Scale = scale;

    /// <summary>Hash of the block that describes it; empty outside of recordings in pieces.</summary>
    public byte[] Description { get; } = description;

    /// <summary>What the reader shows of it.</summary>
    public TraceInterface Trace { get; } = trace;

    /// <summary>Position in <see cref="TraceReader.Interfaces"/>, over all sections.</summary>
    public int Index { get; } = trace.Index;

    /// <summary>What its frames begin with.</summary>
    public LinkType LinkType { get; } = trace.LinkType;

    /// <summary>Whether an Interface Statistics Block told the drops; it counts more than the sum over packets.</summary>
    public bool HasStatistics { get; set; }

    /// <summary>Counts packets lost before one packet, unless statistics tell the total.</summary>
    /// <param name="count">Packets lost.</param>
    public void AddDropped(ulong count)
    {
        if (!HasStatistics && count <= long.MaxValue)
        {
            Trace.Dropped = unchecked((Trace.Dropped ?? 0) + (long)count);
        }
    }
}
