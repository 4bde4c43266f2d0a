using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Cli.Commands;

namespace TcpDiag.Cli.Recording;

/// <summary>A recording on Linux: one pcapng stream from sources of the kernel.</summary>
[SupportedOSPlatform("linux")]
static class LinuxRecording
{
    /// <summary>Records.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="path">The file; - for standard output.</param>
    /// <param name="error">Takes one line that says what is recorded.</param>
    /// <param name="stop">Tells to stop.</param>
    /// <returns>What was recorded.</returns>
    public static CaptureSummary Run(CaptureSettings settings, string path, TextWriter error, CancellationToken stop)
    {
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, OpenFile(path));
        error.WriteLine(CaptureDocuments.Announce(settings, path));
        return recorder.Run(stop);
    }

    // A trace is somebody's private data.
    static Stream OpenFile(string path) => path is "-"
        ? StandardStreams.OpenOutput()
        : new FileStream(path, new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
            BufferSize = 0,
            UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        });
}
