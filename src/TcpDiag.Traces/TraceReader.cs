using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>
/// All records of one trace, or of several, as one stream. An .etl trace comes in time order, a pcapng or pcap file in the
/// order of the file, which recorders of several interfaces leave a little out of order; several files are merged by the
/// time of their next records. Pull, do not push:
/// <code>
/// var record = default(TraceRecord);
/// while (reader.TryRead(ref record)) { … }
/// </code>
/// Damage is stepped over and collected in <see cref="Problems"/>; only a file that cannot be read at all throws.
/// </summary>
public abstract class TraceReader : IDisposable
{
    /// <summary>The file as the user named it; for several, the first.</summary>
    public abstract string Path { get; }

    /// <summary>The format, recognised by the first bytes.</summary>
    public abstract TraceFormat Format { get; }

    /// <summary>Capture points met so far; grows while reading.</summary>
    public abstract IReadOnlyList<TraceInterface> Interfaces { get; }

    /// <summary>What the trace says about machine and recording.</summary>
    public abstract SystemFacts System { get; }

    /// <summary>Damage met so far, in file order.</summary>
    public abstract IReadOnlyList<TraceProblem> Problems { get; }

    /// <summary>Records of every kind met so far, those that are neither packets nor stack events included.</summary>
    public abstract long RecordsRead { get; }

    /// <summary>How much of the trace was read, 0 … 1; null where its length is not known. May be asked for while another thread reads.</summary>
    public virtual double? ShareRead => null;

    /// <summary>Reads the next record.</summary>
    /// <param name="record">Overwritten; its spans are valid until the next call.</param>
    /// <returns>False at the end of the trace.</returns>
    /// <exception cref="TraceFormatException">The file is not of its format.</exception>
    public abstract bool TryRead(ref TraceRecord record);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the input and returns the buffers.</summary>
    /// <param name="disposing">True when called from <see cref="Dispose()"/>.</param>
    protected abstract void Dispose(bool disposing);
}

/// <summary>
/// A point at which packets were captured: a pcapng interface, an NDIS adapter or filter layer, a PktMon component.
/// Filled while the trace is read; counts are final when reading ends.
/// </summary>
public sealed class TraceInterface
{
    /// <summary>Position in <see cref="TraceReader.Interfaces"/>.</summary>
    public required int Index { get; init; }

    /// <summary>Name as captured (<c>eth0</c>, <c>Ethernet 2</c>), or null.</summary>
    public string? Name { get; set; }

    /// <summary>Longer text, or null.</summary>
    public string? Description { get; set; }

    /// <summary>What its frames begin with.</summary>
    public required LinkType LinkType { get; init; }

    /// <summary>Maximum of bytes kept of a packet; 0 when not limited or unknown.</summary>
    public int SnapLength { get; set; }

    /// <summary>Addresses of the interface that the trace names.</summary>
    public IList<IpAddress> Addresses { get; } = [];

    /// <summary>The six bytes of its MAC address, or empty.</summary>
    public IReadOnlyList<byte> MacAddress { get; set; } = [];

    /// <summary>Link speed in bits per second, or null.</summary>
    public ulong? SpeedBitsPerSecond { get; set; }

    /// <summary>Packets read so far.</summary>
    public long Packets { get; set; }

    /// <summary>Packets the capture lost at this interface as it says itself, or null where it does not.</summary>
    public long? Dropped { get; set; }
}
