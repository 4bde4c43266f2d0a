using System.Collections.Generic;

namespace TcpDiag.Locate.Intake;

/// <summary>One place where packets were captured: an interface of a capture. Each has its own clock, but for interfaces of one capture.</summary>
/// <param name="index">Its number, in the order of the command line.</param>
/// <param name="file">Number of the capture it belongs to.</param>
/// <param name="name">The capture's name, and the interface's where the capture has several.</param>
sealed class VantagePoint(int index, int file, string name)
{
    /// <summary>The same under another number: points that saw no TCP have none.</summary>
    /// <param name="index">Its number.</param>
    /// <param name="other">The point.</param>
    public VantagePoint(int index, VantagePoint other)
        : this(index, other.File, other.Name)
    {
        (Start, End, Packets, Lost, Connections) = (other.Start, other.End, other.Packets, other.Lost, other.Connections);
    }

    /// <summary>Its number.</summary>
    public int Index { get; } = index;

    /// <summary>Number of the capture it belongs to.</summary>
    public int File { get; } = file;

    /// <summary>What it is called.</summary>
    public string Name { get; set; } = name;

    /// <summary>Its first packet, of any kind, ns.</summary>
    public long Start { get; set; } = long.MaxValue;

    /// <summary>Its last packet, ns.</summary>
    public long End { get; set; } = long.MinValue;

    /// <summary>TCP packets.</summary>
    public long Packets { get; set; }

    /// <summary>Packets or events its recorder says it lost.</summary>
    public long Lost { get; set; }

    /// <summary>Packets that certainly came by, and that it does not have.</summary>
    public long Missed { get; set; }

    /// <summary>Whether a packet that it does not have may have come by all the same.</summary>
    public bool IsLossy => Lost > 0 || Missed > 0;

    /// <summary>Its connections.</summary>
    public List<SeenConnection> Connections { get; } = [];
}
