using System;
using System.Threading;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Sessions;

/// <summary>A request to record.</summary>
public sealed record CaptureRequest
{
    /// <summary>What to record, and when to stop.</summary>
    public required CaptureSettings Settings { get; init; }

    /// <summary>Full path of the result.</summary>
    public required string Output { get; init; }

    /// <summary>Holds the folders of recordings while they run.</summary>
    public required string Root { get; init; }

    /// <summary>Takes a snapshot of the machine, for which only a bundle has room, unless cancelled; null for none.</summary>
    public Func<CancellationToken, SystemSnapshot>? Snapshot { get; init; }

    /// <summary>Whether someone else's recording is stopped, instead of giving up.</summary>
    public bool TakeOver { get; init; }

    /// <summary>Records instead where the chosen engine is in use; null if the recording is then refused.</summary>
    public CaptureEngine? Fallback { get; init; }

    /// <summary>Called once it is recording; null for nobody.</summary>
    public Action<GrowingTrace>? Begun { get; init; }

    /// <summary>Whether a result is to be a bundle.</summary>
    /// <param name="output">Its path.</param>
    /// <returns>True by its extension.</returns>
    public static bool IsBundle(string output)
    {
        ArgumentNullException.ThrowIfNull(output);
        return output.EndsWith(BundleWriter.Extension, StringComparison.OrdinalIgnoreCase);
    }
}

/// <summary>Receives the progress of a recording.</summary>
public interface ICaptureProgress
{
    /// <summary>The engine is chosen.</summary>
    /// <param name="engine">Its name.</param>
    void Chosen(string engine);

    /// <summary>A step is in the journal and begins.</summary>
    /// <param name="step">The step.</param>
    void Reached(CaptureStep step);

    /// <summary>About once a second while it records.</summary>
    /// <param name="elapsed">How long it runs.</param>
    /// <param name="bytes">Size of the trace.</param>
    /// <param name="lostEvents">Events lost so far; null when not known.</param>
    /// <param name="lostBuffers">Buffers lost so far, each with all the events in it; null when not known.</param>
    void Recording(TimeSpan elapsed, long bytes, long? lostEvents, long? lostBuffers);

    /// <summary>About once a second while a slow program works.</summary>
    /// <param name="elapsed">How long it works.</param>
    void Stopping(TimeSpan elapsed);

    /// <summary>Something worth a line.</summary>
    /// <param name="text">One sentence.</param>
    void Report(string text);
}
