using System.Collections.Generic;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Packets;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Results;

/// <summary>Where on the way packets were lost, delayed, reordered, copied or changed.</summary>
public sealed record Location
{
    /// <summary>The points, in the order of the command line; interfaces of one capture are several.</summary>
    public required IReadOnlyList<LocationPoint> Points { get; init; }

    /// <summary>The ways that connections took over the points, those with most connections first.</summary>
    public required IReadOnlyList<LocatedPath> Paths { get; init; }

    /// <summary>Connections that several points saw.</summary>
    public int SharedConnections => Shared.Count;

    /// <summary>These, each with the points that saw it, from its client to its server.</summary>
    public required IReadOnlyList<IReadOnlyList<LocatedConnection>> Shared { get; init; }
}

/// <summary>A connection at one point.</summary>
/// <param name="Point">Number of the point.</param>
/// <param name="FirstPacket">Number of its first packet's frame in that capture, from 1, as Wireshark counts.</param>
/// <param name="Client">Its client there.</param>
public sealed record LocatedConnection(int Point, long FirstPacket, Endpoint Client);

/// <summary>A place where packets were captured.</summary>
/// <param name="File">Number of the capture, in the order in which they were added.</param>
/// <param name="Name">The capture, and its interface where it has several.</param>
/// <param name="Packets">TCP packets.</param>
/// <param name="StartNanos">Its first packet, ns since the Unix epoch by its own clock.</param>
/// <param name="EndNanos">Its last one.</param>
/// <param name="Connections">Connections it saw.</param>
/// <param name="Alone">Of these, those that no other point saw, or in which nothing could be recognised.</param>
/// <param name="HasPayload">Whether those have enough payload to be recognised by.</param>
/// <param name="RecorderLost">Packets or events that its recorder says it lost.</param>
/// <param name="Missed">Packets that certainly came by, and that it does not have.</param>
public sealed record LocationPoint(
    int File, string Name, long Packets, long StartNanos, long EndNanos, int Connections, int Alone, bool HasPayload, long RecorderLost, long Missed);

/// <summary>A way over points.</summary>
public sealed record LocatedPath
{
    /// <summary>Numbers of the points, from the client to the server.</summary>
    public required IReadOnlyList<int> Points { get; init; }

    /// <summary>Whether packets told that order; else it is that of the command line.</summary>
    public required bool IsOrderKnown { get; init; }

    /// <summary>How many connections took it.</summary>
    public required int Connections { get; init; }

    /// <summary>The first of them, as the first point saw it: client and server.</summary>
    public required (string Client, string Server) Example { get; init; }

    /// <summary>By what its connections were recognised.</summary>
    public required IReadOnlyDictionary<Recognition, int> RecognisedBy { get; init; }

    /// <summary>The clock of each point, beside that of the point before it.</summary>
    public required IReadOnlyList<LocatedClock> Clocks { get; init; }

    /// <summary>What was changed on the way, in either direction.</summary>
    public required IReadOnlyList<LocatedChange> Changes { get; init; }

    /// <summary>What became of the packets of the client.</summary>
    public required LocatedDirection FromClient { get; init; }

    /// <summary>What became of those of the server.</summary>
    public required LocatedDirection FromServer { get; init; }

    /// <summary>What would tell more.</summary>
    public required IReadOnlyList<LocatedAdvice> Advice { get; init; }
}

/// <summary>How a point's clock stands to that of the point before it.</summary>
/// <param name="IsKnown">Whether packets of both directions told it.</param>
/// <param name="IsShared">Whether it is the same clock.</param>
/// <param name="OffsetNanos">How far it is ahead at the middle of the captures, ns.</param>
/// <param name="SkewPpm">How much faster it runs, ppm.</param>
/// <param name="Steps">Where one of both was set, in that order.</param>
/// <param name="BoundNanos">How far a delay between both may be wrong, ns.</param>
/// <param name="Hops">Routers between both, by the hop limit; 0 when not known.</param>
public sealed record LocatedClock(
    bool IsKnown, bool IsShared, double OffsetNanos, double SkewPpm, IReadOnlyList<LocatedClockStep> Steps, double BoundNanos, int Hops);

/// <summary>Where a clock was set.</summary>
/// <param name="Nanos">By how much more the point's clock is ahead of that of the point before, ns.</param>
/// <param name="AtNanos">When, ns by the clock that was set.</param>
/// <param name="IsOfNext">Whether this point's clock was set; else that of the point before.</param>
public sealed record LocatedClockStep(double Nanos, long AtNanos, bool IsOfNext);

/// <summary>A direction of a path.</summary>
/// <param name="Steps">From each point to the next, in the order of travel.</param>
/// <param name="Between">Data packets lost between points that are not neighbours, where those between cannot say on which side.</param>
/// <param name="Untold">Data packets of which cannot be told what became of them.</param>
/// <param name="ActiveNanos">Time during which data was under way, ns, summed over connections.</param>
public sealed record LocatedDirection(
    IReadOnlyList<LocatedStep> Steps, IReadOnlyList<LostBetween> Between, IReadOnlyList<UntoldBehind> Untold, long ActiveNanos);

/// <summary>What became of packets between two neighbouring points.</summary>
/// <param name="From">Number of the point that they passed first.</param>
/// <param name="To">Number of the next.</param>
/// <param name="Data">Data, SYN and FIN, offloaded segments cut.</param>
/// <param name="Acks">Packets that carry nothing.</param>
/// <param name="IsTimed">Whether delays are known, but for the bound of the clocks; else only by how much they change.</param>
public sealed record LocatedStep(int From, int To, LocatedPackets Data, LocatedPackets Acks, bool IsTimed);

/// <summary>Counts of packets.</summary>
public sealed record LocatedPackets
{
    /// <summary>Seen by both points.</summary>
    public required long Arrived { get; init; }

    /// <summary>Lost.</summary>
    public required long Lost { get; init; }

    /// <summary>Copied.</summary>
    public required long Copied { get; init; }

    /// <summary>Late by RFC 4737.</summary>
    public required long Late { get; init; }

    /// <summary>Of the fewest packets that changed their place, those that went ahead.</summary>
    public required long Ahead { get; init; }

    /// <summary>Of these, those that fell behind.</summary>
    public required long Behind { get; init; }

    /// <summary>Stretches in which the order changed.</summary>
    public required long ReorderEvents { get; init; }

    /// <summary>By how much the late ones were late.</summary>
    public required DelayHistogram LateOffset { get; init; }

    /// <summary>Cut or put together otherwise.</summary>
    public required long Resegmented { get; init; }

    /// <summary>Marked with congestion experienced.</summary>
    public required long Marked { get; init; }

    /// <summary>How long they took.</summary>
    public required DelayHistogram Delays { get; init; }

    /// <summary>The first that were lost.</summary>
    public required IReadOnlyList<LostPacket> LostExamples { get; init; }

    /// <summary>Packets that changed their place.</summary>
    public long Moved => Ahead + Behind;
}

/// <summary>Packets lost between points that are not neighbours.</summary>
/// <param name="From">The last point that saw them.</param>
/// <param name="To">The first that certainly did not.</param>
/// <param name="Packets">How many.</param>
public sealed record LostBetween(int From, int To, long Packets);

/// <summary>Packets of which cannot be told what became of them.</summary>
/// <param name="Behind">The last point that saw them.</param>
/// <param name="Why">Why.</param>
/// <param name="Packets">How many.</param>
public sealed record UntoldBehind(int Behind, Doubt Why, long Packets);

/// <summary>What was changed between two neighbouring points.</summary>
/// <param name="From">Number of the point nearer to the client.</param>
/// <param name="To">Number of the other.</param>
/// <param name="Kind">What.</param>
/// <param name="Connections">On how many connections.</param>
/// <param name="Near">An example, as the first point saw it; empty where there is nothing to show.</param>
/// <param name="Far">As the other saw it.</param>
public sealed record LocatedChange(int From, int To, ChangeKind Kind, int Connections, string Near, string Far);

/// <summary>What a middlebox changes.</summary>
public enum ChangeKind
{
    /// <summary>Addresses or ports.</summary>
    Addresses,

    /// <summary>Every sequence number, by a constant.</summary>
    SequenceNumbers,

    /// <summary>The MSS that an end offers.</summary>
    Mss,

    /// <summary>The window scale that an end offers.</summary>
    WindowScale,

    /// <summary>SACK permitted is taken out or put in.</summary>
    SackPermitted,

    /// <summary>Timestamps are taken out or put in.</summary>
    TimestampsOption,

    /// <summary>TSval is rewritten.</summary>
    TimestampValues,

    /// <summary>The window field is rewritten.</summary>
    Window,

    /// <summary>SACK blocks are rewritten, or left as they were where sequence numbers were moved.</summary>
    SackBlocks,

    /// <summary>The IP identification is rewritten.</summary>
    IpId,

    /// <summary>Two connections that carry the same: something ends the one and opens the other.</summary>
    Split,
}

/// <summary>What would tell more.</summary>
/// <param name="Kind">What to do.</param>
/// <param name="From">The point before.</param>
/// <param name="To">The point behind.</param>
/// <param name="Hops">Routers between both by the hop limit; 0 when not known.</param>
public sealed record LocatedAdvice(AdviceKind Kind, int From, int To, int Hops);

/// <summary>What would tell more.</summary>
public enum AdviceKind
{
    /// <summary>A third point between both.</summary>
    PointBetween,

    /// <summary>Recorders of the points between lost packets: record again with larger buffers, or with a shorter snap length.</summary>
    LosslessRecorder,

    /// <summary>Captures that cover the same time.</summary>
    SameTime,
}
