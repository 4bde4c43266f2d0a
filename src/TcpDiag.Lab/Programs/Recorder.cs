using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Programs;

/// <summary>A recorder as a part of an experiment: <c>tcpdiag capture</c> with the engine that this system has, into one trace without a bundle.</summary>
static class Recorder
{
    /// <summary>The longest a recorder of any system takes to begin: on Windows programs of the system start it, and read the machine before.</summary>
    public static readonly TimeSpan LongestStart = TimeSpan.FromSeconds(100);

    /// <summary>The longest a recorder of any system takes to end: <c>netsh trace stop</c> may take a quarter of an hour.</summary>
    public static readonly TimeSpan LongestEnd = TimeSpan.FromMinutes(16);

    // What a recorder says when it records (CaptureDocuments.Announce).
    const string Announcement = "recording ";
    const long NanosPerMillisecond = 1_000_000;

    static readonly TimeSpan LinuxStart = TimeSpan.FromSeconds(20);
    static readonly TimeSpan LinuxEnd = TimeSpan.FromSeconds(10);

    /// <summary>The extension of a trace that this system records.</summary>
    public static string Extension => OperatingSystem.IsWindows() ? ".etl" : ".pcapng";

    /// <summary>Starts one that ends with its input.</summary>
    /// <param name="program">How this program is started again.</param>
    /// <param name="end">Whose it is: <c>sender</c> or <c>receiver</c>.</param>
    /// <param name="match">What it records.</param>
    /// <param name="file">The trace.</param>
    /// <param name="limit">The longest it may run.</param>
    /// <param name="settings">How much of a packet, and how often connections are sampled.</param>
    /// <param name="withEvents">Whether events of the stack, and samples, are recorded too.</param>
    /// <param name="options">Further options, such as the device to record at.</param>
    /// <returns>The process; not ready yet.</returns>
    public static ChildProcess Start(
        LabProgram program,
        string end,
        string match,
        string file,
        TimeSpan limit,
        RecordingSettings settings,
        bool withEvents,
        params IEnumerable<string> options)
    {
        string[] events = !withEvents ? ["--no-events"]
            : OperatingSystem.IsWindows() ? [] // Its events hold what is sampled elsewhere.
            : ["--sample", Number(settings.SampleNs / NanosPerMillisecond) + "ms"];
        string[] extent = ["--for", Number((long)limit.TotalSeconds) + "s", "--snap", Number(settings.SnapBytes)];
        return new ChildProcess(
            $"The recorder at the {end}",
            program,
            ["capture", "--match", match, .. options, "--out", file, "--force", .. extent, .. events, "--json", "--until-eof"])
        {
            StartLimit = OperatingSystem.IsWindows() ? LongestStart : LinuxStart,
            EndLimit = OperatingSystem.IsWindows() ? LongestEnd : LinuxEnd,
        };
    }

    /// <summary>Waits until it records.</summary>
    public static void Await(ChildProcess recorder, CancellationToken interruption) => recorder.WaitForError(Announcement, interruption);

    static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
}
