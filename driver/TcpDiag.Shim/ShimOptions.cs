using System;
using System.IO;

namespace TcpDiag.Shim;

/// <summary>How to run, beside what to emulate.</summary>
public sealed record ShimOptions
{
    /// <summary>After so long the run ends by itself.</summary>
    public required TimeSpan TimeLimit { get; init; }

    /// <summary>Where the decision log goes; null keeps none. Stays open.</summary>
    public Stream? Log { get; init; }

    /// <summary>Where a capture at the point between the path's two segments goes; null keeps none. Closed at the end of the run.</summary>
    public Stream? Between { get; init; }

    /// <summary>Bytes that capture keeps of each packet.</summary>
    public int BetweenSnapBytes { get; init; } = 120;

    /// <summary>Told how the run stands, about twice a second, on the calling thread; null for nobody.</summary>
    public Action<ShimFigures>? Progress { get; init; }

    /// <summary>Bytes of the largest packet; a larger one is cut off by the system.</summary>
    public int MaxPacketBytes { get; init; } = 2048;

    /// <summary>Where the time of day comes from.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;
}
