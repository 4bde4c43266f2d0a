using TcpDiag.Wire;

namespace TcpDiag.Locate.Intake;

/// <summary>One connection as one vantage point saw it.</summary>
/// <param name="key">Its endpoints there.</param>
/// <param name="firstPacket">Number of its first packet's frame in the capture, from 1, as Wireshark counts.</param>
sealed class SeenConnection(FlowKey key, long firstPacket)
{
    readonly Opening[] _openings = new Opening[2];
    readonly byte[] _hopLimits = new byte[2];

    /// <summary>Its endpoints at that point.</summary>
    public FlowKey Key { get; } = key;

    /// <summary>Number of its first packet's frame in the capture, from 1, as Wireshark counts.</summary>
    public long FirstPacket { get; } = firstPacket;

    /// <summary>Its packets.</summary>
    public PacketLog Packets { get; } = new();

    /// <summary>Whether the client is the endpoint that sorts last; null when no SYN was seen.</summary>
    public bool? IsClientHigh { get; private set; }

    /// <summary>Whether somebody reset or closed it: a SYN after that opens another one.</summary>
    public bool IsOver { get; private set; }

    /// <summary>The SYN or SYN/ACK of an end; without one, not <see cref="Opening.IsSeen"/>.</summary>
    /// <param name="isFromHigh">Which end.</param>
    public ref readonly Opening OpeningOf(bool isFromHigh) => ref _openings[isFromHigh ? 1 : 0];

    /// <summary>TTL or hop limit of an end's first packet; 0 without one.</summary>
    /// <param name="isFromHigh">Which end.</param>
    public byte HopLimitOf(bool isFromHigh) => _hopLimits[isFromHigh ? 1 : 0];

    /// <summary>An end.</summary>
    /// <param name="isHigh">Which.</param>
    public Endpoint End(bool isHigh) => isHigh ? Key.High : Key.Low;

    /// <summary>Whether a packet opens another connection between the same ends.</summary>
    public bool IsReopenedBy(in ParsedPacket packet, bool isFromHigh)
    {
        if ((packet.Flags & (TcpFlags.Syn | TcpFlags.Ack)) != TcpFlags.Syn || Packets.Count == 0)
        {
            return false;
        }

        ref readonly Opening own = ref OpeningOf(isFromHigh);
        return own.IsSeen ? own.Isn != packet.Sequence.Value : IsOver;
    }

    /// <summary>Takes in what is noted once: openings, hop limits, ends.</summary>
    public void Note(in ParsedPacket packet, bool isFromHigh)
    {
        int end = isFromHigh ? 1 : 0;
        _hopLimits[end] = _hopLimits[end] == 0 ? packet.HopLimit : _hopLimits[end];
        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            IsClientHigh = (packet.Flags & TcpFlags.Ack) == 0 ? isFromHigh : !isFromHigh;
            if (!_openings[end].IsSeen)
            {
                _openings[end] = Opening.Of(packet);
            }
        }

        IsOver |= (packet.Flags & (TcpFlags.Fin | TcpFlags.Rst)) != 0;
    }
}

/// <summary>What a SYN or SYN/ACK offers.</summary>
/// <param name="IsSeen">Whether there was one.</param>
/// <param name="Isn">Initial sequence number.</param>
/// <param name="Mss">MSS, bytes; 0 without.</param>
/// <param name="WindowScale">Window scale; −1 without.</param>
/// <param name="HasSack">Whether SACK is permitted.</param>
/// <param name="HasTimestamps">Whether it has timestamps.</param>
/// <param name="TsVal">TSval; 0 without.</param>
/// <param name="Window">The window.</param>
readonly record struct Opening(bool IsSeen, uint Isn, int Mss, int WindowScale, bool HasSack, bool HasTimestamps, uint TsVal, int Window)
{
    /// <summary>Reads a SYN or SYN/ACK.</summary>
    public static Opening Of(in ParsedPacket packet) => new(
        true,
        packet.Sequence.Value,
        packet.Options.Has(TcpOptionKinds.MaximumSegmentSize) ? packet.Options.Mss : 0,
        packet.Options.Has(TcpOptionKinds.WindowScale) ? packet.Options.WindowScale : -1,
        packet.Options.Has(TcpOptionKinds.SackPermitted),
        packet.Options.Has(TcpOptionKinds.Timestamps),
        packet.Options.TsVal,
        packet.Window);
}
