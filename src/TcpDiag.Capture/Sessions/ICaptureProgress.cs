using System;

namespace TcpDiag.Capture.Sessions;

/// <summary>Is told how a recording goes.</summary>
public interface ICaptureProgress
{
    /// <summary>What records is settled.</summary>
    /// <param name="engine">Its name.</param>
    void Chosen(string engine);

    /// <summary>A step is in the journal; what it names begins.</summary>
    /// <param name="step">The step.</param>
    void Reached(CaptureStep step);

    /// <summary>About once a second while it records.</summary>
    /// <param name="elapsed">How long it runs.</param>
    /// <param name="bytes">Size of the trace.</param>
    /// <param name="lostEvents">Events lost so far; null when not told.</param>
    /// <param name="lostBuffers">Buffers lost so far, each with all the events in it; null when not told.</param>
    void Recording(TimeSpan elapsed, long bytes, long? lostEvents, long? lostBuffers);

    /// <summary>About once a second while a program works that cannot be hurried.</summary>
    /// <param name="elapsed">How long it works.</param>
    void Stopping(TimeSpan elapsed);

    /// <summary>Something worth a line.</summary>
    /// <param name="text">One sentence.</param>
    void Tell(string text);
}
