using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests.Faults;

/// <summary>kill -9 of an experiment and of each of its parts: after the next start no namespace, device, trace instance or process is left.</summary>
[SupportedOSPlatform("linux")]
public sealed class KilledExperimentTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-killed").FullName;
    int _runs;

    [RootFact]
    public void Sender_Killed_VoidsTheRunAndLeavesNothing() => KillPart("lab send");

    [RootFact]
    public void Path_Killed_VoidsTheRunAndLeavesNothing() => KillPart("shim serve");

    [RootFact]
    public void Recorder_Killed_VoidsTheRunAndLeavesNothing() => KillPart("capture");

    void KillPart(string verb)
    {
        using KilledProcess lab = StartLab("{bytes: 20mb, read-rate: 1mbit, limit: 5s}");
        Assert.True(SpinWait.SpinUntil(() => Inventory.Processes("lab send", _folder).Any(), Patience.Limit), "no sender was started");
        using Process part = Inventory.Processes(verb, _folder).First();
        part.Kill();

        Assert.Equal(ExitCode.CheckFailed, lab.WaitForExit());
        AssertNextStartFindsAndLeavesNothing();
    }

    [RootFact]
    public void Experiment_KilledAtAnyMoment_NextStartRemovesWhatItLeft()
    {
        foreach (int moment in new[] { 100, 200, 300, 500, 900, 1500 })
        {
            using KilledProcess lab = StartLab("{bytes: 20mb, read-rate: 1mbit, limit: 5s}");
            lab.KillAfter(moment);
        }

        // Right behind the last one: what it held may not be free yet.
        AssertNextStartFindsAndLeavesNothing();
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    void AssertNextStartFindsAndLeavesNothing()
    {
        // Parts notice the end of the pipe from their parent; only then is what they hold free.
        Assert.True(SpinWait.SpinUntil(() => !Inventory.Processes(_folder).Any(), Patience.Limit), "processes are left");
        string[] left = Left();
        using KilledProcess next = StartLab("{bytes: 20kb}");
        Assert.Contains(next.WaitForExit(), new[] { ExitCode.Done, ExitCode.CheckFailed });
        Assert.Empty(Left().Intersect(left)); // tests beside this one may leave others meanwhile
        Assert.Empty(Inventory.Processes(_folder));
    }

    static string[] Left() => [.. Inventory.AbandonedNamespaces(), .. Inventory.AbandonedTraceInstances()];

    // Each in a result directory of its own, below one that tells our processes from those of others.
    KilledProcess StartLab(string flow)
    {
        string folder = Directory.CreateDirectory(Path.Join(_folder, FormattableString.Invariant($"{++_runs}"))).FullName;
        string matrix = Path.Join(folder, "matrix.yaml");
        File.WriteAllText(matrix, $"path: {{rtt: 5ms}}\nflow: {flow}\nsides: {{only: {{}}}}\n");
        return new KilledProcess(null, "lab", "run", matrix, "--out", Path.Join(folder, "out"), "--retries", "0");
    }
}
