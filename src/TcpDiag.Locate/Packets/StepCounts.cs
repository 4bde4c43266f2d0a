using System.Collections.Generic;

namespace TcpDiag.Locate.Packets;

/// <summary>What became of packets between one point and the next.</summary>
sealed class StepCounts
{
    const int MaxExamples = 10;

    readonly List<LostPacket> _examples = [];

    /// <summary>Packets that both points saw.</summary>
    public long Arrived { get; set; }

    /// <summary>Packets that the first point saw, and that did not reach the second.</summary>
    public long Lost { get; private set; }

    /// <summary>Copies that the first point did not see.</summary>
    public long Copied { get; set; }

    /// <summary>Packets that came behind one sent later (RFC 4737 §3.3).</summary>
    public long Late { get; set; }

    /// <summary>Of the fewest packets that changed their place, those that went ahead of others.</summary>
    public long Ahead { get; set; }

    /// <summary>Of these, those that fell behind.</summary>
    public long Behind { get; set; }

    /// <summary>By how much the late ones were late, ns (RFC 4737 §4.2.3).</summary>
    public DelayHistogram LateOffset { get; } = new();

    /// <summary>Stretches of packets in which the order changed.</summary>
    public long Events { get; set; }

    /// <summary>Pieces that were cut or put together otherwise on the way.</summary>
    public long Resegmented { get; set; }

    /// <summary>Packets marked with ECN's congestion experienced on the way.</summary>
    public long Marked { get; set; }

    /// <summary>How long packets took.</summary>
    public DelayHistogram Delays { get; } = new();

    /// <summary>The first that were lost.</summary>
    public IReadOnlyList<LostPacket> Examples => _examples;

    /// <summary>Counts a lost packet.</summary>
    public void AddLost(in LostPacket lost)
    {
        Lost++;
        if (_examples.Count < MaxExamples)
        {
            _examples.Add(lost);
        }
    }
}

/// <summary>A packet that was lost.</summary>
/// <param name="Connection">Its connection, from 1.</param>
/// <param name="Time">When it passed the last point that saw it, ns by that point's clock.</param>
/// <param name="Seq">Its sequence number there.</param>
/// <param name="Length">Payload, bytes.</param>
public readonly record struct LostPacket(int Connection, long Time, uint Seq, int Length);
