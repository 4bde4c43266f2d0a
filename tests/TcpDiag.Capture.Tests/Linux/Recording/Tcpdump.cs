using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>tcpdump beside a recording; ended with SIGINT so that its file is whole.</summary>
sealed class Tcpdump : IDisposable
{
    // All that a test sends: on a busy machine it would lose packets of its own otherwise.
    const string BufferKilobytes = "65536";

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    readonly Process _process;

    public Tcpdump(string networkNamespace, string link, int port)
    {
        File = Path.GetTempFileName();
        string[] arguments =
        [
            "netns", "exec", networkNamespace, ExternalProgram.Find("tcpdump")!, "-i", link, "--immediate-mode", "-U", "-B", BufferKilobytes, "-s", "120", "-Z", "root",
            "-w", File, "tcp", "port", port.ToString(CultureInfo.InvariantCulture),
        ];
        _process = Process.Start(new ProcessStartInfo(ExternalProgram.Find("ip")!, arguments) { UseShellExecute = false, RedirectStandardError = true })!;

        // "tcpdump: listening on …" comes once its filter is in place.
        while (_process.StandardError.ReadLine() is { } line && !line.Contains("listening on", StringComparison.Ordinal))
        {
        }
    }

    public string File { get; }

    /// <summary>Ends it once it has written what there was: at SIGINT it leaves what it has not read.</summary>
    /// <param name="packets">How many packets there must have been; waited for no longer than the caller would believe.</param>
    public void Stop(long packets)
    {
        SpinWait.SpinUntil(() => TraceInspector.Inspect(File).Packets >= packets, Patience);
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
