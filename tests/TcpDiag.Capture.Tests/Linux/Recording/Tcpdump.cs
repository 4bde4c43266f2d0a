using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using TcpDiag.Testing;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>tcpdump beside a recording; ended with SIGINT so that its file is whole.</summary>
sealed class Tcpdump : IDisposable
{
    // All that a test sends: on a busy machine it would lose packets of its own otherwise.
    const string BufferKilobytes = "65536";

    readonly Process _process;

    public Tcpdump(string networkNamespace, string link, int port)
    {
        File = Path.GetTempFileName();
        string[] arguments =
        [
            "netns", "exec", networkNamespace, ExternalProgram.Find("tcpdump")!, "-i", link, "--immediate-mode", "-B", BufferKilobytes, "-s", "120", "-Z", "root",
            "-w", File, "tcp", "port", port.ToString(CultureInfo.InvariantCulture),
        ];
        _process = Process.Start(new ProcessStartInfo(ExternalProgram.Find("ip")!, arguments) { UseShellExecute = false, RedirectStandardError = true })!;

        // "tcpdump: listening on …" comes once its filter is in place.
        while (_process.StandardError.ReadLine() is { } line && !line.Contains("listening on", StringComparison.Ordinal))
        {
        }
    }

    public string File { get; }

    public void Stop()
    {
        ExternalProgram.Run("kill", "-INT", _process.Id.ToString(CultureInfo.InvariantCulture));
        _process.WaitForExit();
    }

    public void Dispose()
    {
        _process.Kill();
        _process.Dispose();
        System.IO.File.Delete(File);
    }
}
