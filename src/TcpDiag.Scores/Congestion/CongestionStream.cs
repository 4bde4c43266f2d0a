using TcpDiag.Wire;

namespace TcpDiag.Scores.Congestion;

/// <summary>A segment with data, once it is sent.</summary>
/// <param name="Time">When.</param>
/// <param name="Packet">Number of its packet.</param>
/// <param name="Bytes">Its data, bytes.</param>
/// <param name="Repair">What it repairs; <see cref="RepairKind.None"/> for new data.</param>
/// <param name="FlightBytes">SND.NXT − SND.UNA after it, less what has arrived of it.</param>
/// <param name="Next">SND.NXT after it.</param>
readonly record struct DataSent(TraceTime Time, long Packet, int Bytes, RepairKind Repair, long FlightBytes, SequenceNumber Next);

/// <summary>Why data was sent.</summary>
enum RepairKind : byte
{
    /// <summary>It was new.</summary>
    None,

    /// <summary>It was taken for lost by what was acknowledged.</summary>
    Fast,

    /// <summary>A timer expired.</summary>
    Timeout,

    /// <summary>It probed the tail, or nothing is known of it: no recovery begins with it.</summary>
    Probe,
}

/// <summary>An acknowledgment, once it is taken in.</summary>
/// <param name="Time">When.</param>
/// <param name="Packet">Number of its packet.</param>
/// <param name="Una">SND.UNA after it.</param>
/// <param name="Next">SND.NXT.</param>
/// <param name="DeliveredBytes">DeliveredData: advance of SND.UNA and change of what is SACKed (RFC 9937 §6.2).</param>
/// <param name="HasAdvanced">Whether it advances SND.UNA.</param>
/// <param name="FlightBytes">SND.NXT − SND.UNA after it, less what has arrived of it.</param>
/// <param name="SackedBytes">SACKed behind SND.UNA.</param>
/// <param name="RttNanos">Its round-trip sample, ns; 0 without one.</param>
/// <param name="SrttNanos">SRTT, ns.</param>
/// <param name="RtoNanos">RTO, ns.</param>
/// <param name="RoomBytes">Room that is left in the receive window, bytes.</param>
/// <param name="HasEcnEcho">Whether it echoes a mark of congestion.</param>
readonly record struct DataAcked(
    TraceTime Time,
    long Packet,
    SequenceNumber Una,
    SequenceNumber Next,
    long DeliveredBytes,
    bool HasAdvanced,
    long FlightBytes,
    long SackedBytes,
    long RttNanos,
    long SrttNanos,
    long RtoNanos,
    long RoomBytes,
    bool HasEcnEcho);
