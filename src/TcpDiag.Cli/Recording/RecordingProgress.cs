using System;
using System.Globalization;
using System.IO;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Cli.Recording;

/// <summary>Tells on standard error how a recording goes: one line that is written over where somebody looks, else only what is worth a line.</summary>
/// <param name="error">Standard error.</param>
/// <param name="invocation">Is told when signals must not end the program any more.</param>
sealed class RecordingProgress(TextWriter error, Invocation invocation) : ICaptureProgress
{
    const double BytesPerMebibyte = 1 << 20;

    readonly LiveLine _line = new(error);

    string? _engine;

    /// <summary>Makes of the name of the engine what to say once it records; null for nothing.</summary>
    public Func<string?, string>? Announcement { get; init; }

    /// <inheritdoc/>
    public void Chosen(string engine) => _engine = engine;

    /// <inheritdoc/>
    public void Reached(CaptureStep step)
    {
        if (step == CaptureStep.Recording && Announcement is { } announce)
        {
            Tell(announce(_engine));
        }

        // What an earlier process had left was finished first.
        if (step == CaptureStep.Prepared)
        {
            invocation.EndFinishing();
        }

        if (step == CaptureStep.Stopping)
        {
            invocation.BeginFinishing();
        }
    }

    /// <inheritdoc/>
    public void Recording(TimeSpan elapsed, long bytes, long? lostEvents, long? lostBuffers) => _line.Show(string.Create(
        CultureInfo.InvariantCulture,
        $"recording {elapsed.TotalSeconds:F0} s, {bytes / BytesPerMebibyte:F1} MiB{Lost(lostEvents, "events")}{Lost(lostBuffers, "buffers")}; Ctrl-C stops"));

    /// <inheritdoc/>
    public void Stopping(TimeSpan elapsed) =>
        _line.Show(string.Create(CultureInfo.InvariantCulture, $"stopping for {elapsed.TotalSeconds:F0} s; this may take minutes"));

    /// <inheritdoc/>
    public void Tell(string text)
    {
        EndLine();
        try
        {
            error.WriteLine(text);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The window was closed, or the reader has gone: what is being recorded is worth more than a line of it.
        }
    }

    static string Lost(long? count, string what) => count > 0 ? string.Create(CultureInfo.InvariantCulture, $", {count} {what} LOST") : string.Empty;

    /// <summary>Leaves the line that is written over.</summary>
    public void EndLine() => _line.End();
}
