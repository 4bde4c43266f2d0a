using System;
using System.IO;
using System.Threading;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>Recordings by the win-x64 build on a machine of stand-ins, under Wine, whose program is killed: the next run keeps what was recorded.</summary>
public sealed class RecoveryTests
{
    /// <summary>Every step of every engine, and whether something has been recorded by then.</summary>
    public static TheoryData<string, string, bool> Steps()
    {
        var steps = new TheoryData<string, string, bool>();
        foreach (string engine in (string[])["netsh", "pktmon", "etw"])
        {
            foreach (CaptureStep step in Enum.GetValues<CaptureStep>())
            {
                steps.Add(engine, step.ToString(), step > CaptureStep.Starting);
            }
        }

        return steps;
    }

    [WineTheory]
    [MemberData(nameof(Steps))]
    public void Recover_KilledAtAStep_KeepsWhatWasRecorded(string engine, string step, bool hasRecorded)
    {
        using StandInRun run = new(WineProgram.Launcher("standins"), WineProgram.There);
        run.Record($"engine={engine}", $"kill-at={step}");
        Assert.Equal($"step: {step}", run.Lines[^1]);

        AssertRecovers(run, hasRecorded);
    }

    [WineTheory]
    [InlineData("netsh-start", "kill-first", 1, true)]
    [InlineData("netsh-start", "kill-last", 1, true)]
    [InlineData("netsh-stop", "kill-first", 0, true)]
    [InlineData("netsh-stop", "kill-last", 0, true)]
    [InlineData("pktmon-filter", "kill-last", 0, false)]
    [InlineData("pktmon-start", "kill-first", 1, true)]
    [InlineData("pktmon-start", "kill-last", 1, true)]
    [InlineData("pktmon-stop", "kill-first", 0, true)]
    [InlineData("pktmon-stop", "kill-last", 0, true)]
    public void Recover_KilledWhileAProgramRan_KeepsWhatWasRecorded(string program, string answer, int sessions, bool hasRecorded)
    {
        using StandInRun run = new(WineProgram.Launcher("standins"), WineProgram.There);
        run.Machine.Script(program, answer);
        run.Record("engine=" + program.Split('-')[0]);

        // A program goes on when its parent is gone.
        Assert.True(SpinWait.SpinUntil(() => run.Machine.Sessions().Count == sessions, Patience.Limit));
        AssertRecovers(run, hasRecorded);
    }

    static void AssertRecovers(StandInRun run, bool hasRecorded)
    {
        int exitCode = run.Recover();
        Assert.True(exitCode == 0, FormattableString.Invariant($"exit code {exitCode}: {string.Join('\n', run.Lines)}"));
        Assert.True(run.IsClean);
        Assert.False(File.Exists(run.Output + ".part"));
        Assert.Equal(hasRecorded, File.Exists(run.Output));
        Assert.True(!hasRecorded || TraceInspector.Inspect(run.Output).Packets == 1);
    }
}
