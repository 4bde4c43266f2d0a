using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests.Faults;

/// <summary>kill -9 of a recorder: the next start removes what is left, and the file can be read as far as it goes.</summary>
[SupportedOSPlatform("linux")]
public sealed class KilledRecorderTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag").FullName;

    [RootFact]
    public void Recorder_KilledAtAnyMoment_NextStartRemovesWhatItLeft()
    {
        foreach (int moment in new[] { 0, 60, 120, 180, 240, 300, 400, 600 })
        {
            using KilledProcess recorder = StartRecorder();
            recorder.KillAfter(moment);
        }

        using (KilledProcess recorder = StartRecorder())
        {
            recorder.WaitForError();
            recorder.KillAfter(100);
        }

        using (KilledProcess recorder = StartRecorder())
        {
            recorder.WaitForError();
            recorder.EndInput();
            recorder.KillAfter(2);
        }

        string[] left = Inventory.AbandonedTraceInstances();
        using var traffic = new RefusedConnections();
        using KilledProcess next = new(null, "capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "5s", "--out",
            Path.Join(_folder, "next.pcapng"));
        Assert.Equal(ExitCode.Done, next.WaitForExit());
        Assert.Empty(Inventory.AbandonedTraceInstances().Intersect(left)); // tests beside this one may leave others meanwhile
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    KilledProcess StartRecorder() =>
        new(null, "capture", "--match", "tcp", "port", "9", "-i", "lo", "--until-eof", "--out", Path.Join(_folder, "killed.pcapng"));
}
