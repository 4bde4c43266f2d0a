namespace TcpDiag.Impairment.Decisions;

/// <summary>What the emulator did with a packet. The numbers stand in decision logs (docs/impairment.md): never renumber.</summary>
public enum ImpairmentAction
{
    /// <summary>Nothing; never logged.</summary>
    None = 0,

    /// <summary>The packet left the emulator: its record holds the delay asked and the error made.</summary>
    Forward = 1,

    /// <summary>The copy of a duplicated packet left the emulator.</summary>
    ForwardCopy = 2,

    /// <summary>Dropped by a loss model.</summary>
    DropLoss = 3,

    /// <summary>Dropped because the queue was full (tail drop).</summary>
    DropQueue = 4,

    /// <summary>Dropped in a blackout window.</summary>
    DropBlackout = 5,

    /// <summary>Dropped because the emulator itself holds as many packets as it may; such a run is void.</summary>
    DropCapacity = 6,

    /// <summary>The ECN field is set to CE.</summary>
    MarkEcn = 7,

    /// <summary>One bit is flipped.</summary>
    Corrupt = 8,

    /// <summary>A copy follows the packet.</summary>
    Duplicate = 9,

    /// <summary>Reordering: another delay instead of the path's.</summary>
    ReorderReplace = 10,

    /// <summary>Reordering: a delay on top of the path's.</summary>
    ReorderAdd = 11,

    /// <summary>Reordering: held until successors have passed.</summary>
    ReorderSwap = 12,

    /// <summary>Reordering: moved in front of packets under way.</summary>
    ReorderAhead = 13,

    /// <summary>Reordering: part of a burst held back by a queue flush.</summary>
    ReorderFlush = 14,
}
