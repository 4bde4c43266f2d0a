using System;
using System.Threading;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Sessions;

/// <summary>A recording that is asked for.</summary>
public sealed record CaptureRequest
{
    /// <summary>What to record, and when to stop.</summary>
    public required CaptureSettings Settings { get; init; }

    /// <summary>Full path of the result.</summary>
    public required string Output { get; init; }

    /// <summary>Holds the folders of recordings while they run.</summary>
    public required string Root { get; init; }

    /// <summary>Takes a snapshot of the machine, for which only a bundle has room, unless it is told to end; null for none.</summary>
    public Func<CancellationToken, SystemSnapshot>? Snapshot { get; init; }

    /// <summary>Whether a recording that somebody else has started is stopped, instead of leaving it alone and giving up.</summary>
    public bool TakeOver { get; init; }

    /// <summary>Records where somebody else uses what the machine has one of for the engine that was chosen; null for nothing, so that the recording is refused.</summary>
    public CaptureEngine? Fallback { get; init; }

    /// <summary>Whether a result is to be a bundle.</summary>
    /// <param name="output">Its path.</param>
    /// <returns>True by its extension.</returns>
    public static bool IsBundle(string output)
    {
        ArgumentNullException.ThrowIfNull(output);
        return output.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase);
    }
}
