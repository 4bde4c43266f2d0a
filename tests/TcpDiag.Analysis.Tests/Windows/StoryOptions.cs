using TcpDiag.Analysis.Results;


namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>How a <see cref="WindowsStory"/> is told.</summary>
/// <param name="Build">The Windows build.</param>
public sealed record StoryOptions(int Build)
{
    /// <summary>Whether the connection is older than the trace: without opening, named by a rundown at the end.</summary>
    public bool IsOlder { get; init; }

    /// <summary>Who records packets beside the events.</summary>
    public StoryPackets Packets { get; init; } = StoryPackets.Ndis;

    /// <summary>Events that the file's header tells as lost.</summary>
    public uint LostEvents { get; init; }

    /// <summary>Buffers that it tells as lost.</summary>
    public uint LostBuffers { get; init; }

    /// <summary>Which of its buffers is not written, that of the header being 0; the numbers of the others tell so. Null for none.</summary>
    public int? MissingBuffer { get; init; }

    /// <summary>How long the program waited for the peer's name before it connected, nanoseconds; less than a second, and 0 when it asked for none.</summary>
    public long NameWait { get; init; }

    /// <summary>
    /// What the stack counts of its limits until the connection ends, milliseconds; the bytes sent are all counted to the largest of them. All 0 for a stack
    /// that does not count.
    /// </summary>
    public CountedLimits Counted { get; init; }

    /// <summary>Whether the trace goes on until the stack sums the connection up.</summary>
    public bool HasSummary { get; init; } = true;

    /// <summary>Layouts of events: 0 the latest version that the build has, 1 the one before, and so on.</summary>
    public int Age { get; init; }
}
