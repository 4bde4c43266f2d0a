using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>One interface of the current section: what its packets need at hand.</summary>
sealed class PcapngInterface
{
    /// <summary>What the reader shows of it.</summary>
    public required TraceInterface Trace { get; init; }

    /// <summary>How its time stamps count.</summary>
    public required TimestampScale Scale { get; init; }

    /// <summary>Position in <see cref="TraceReader.Interfaces"/>, over all sections.</summary>
    public int Index => Trace.Index;

    /// <summary>What its frames begin with.</summary>
    public LinkType LinkType => Trace.LinkType;

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
