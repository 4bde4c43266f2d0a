using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// Recordings by the win-x64 build on a machine of stand-ins, under Wine. What must come of each scenario is asserted by TcpDiag.Capture.Tests, on Linux; here it is
/// run on both and must go the same way: the same lines, the same calls, the same leftovers.
/// </summary>
public sealed partial class CaptureTests
{
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    static StandInRun There() => new(WineProgram.Launcher("standins"), WineProgram.There);

    [WineTheory]
    [InlineData("", "")]
    [InlineData("", "engine=pktmon")]
    [InlineData("pktmon-start=hang-started", "engine=pktmon")]
    [InlineData("pktmon-start=garbage", "engine=pktmon")]
    [InlineData("pktmon-filter=forgotten", "engine=pktmon")]
    [InlineData("pktmon-filter=denied", "engine=pktmon")]
    [InlineData("pktmon-stop=partial", "engine=pktmon")]
    [InlineData("build=19045", "engine=pktmon")]
    [InlineData("rights=none", "")]
    [InlineData("netsh-start=denied", "")]
    [InlineData("netsh-start=denied language=de", "")]
    [InlineData("netsh-start=wrong-build", "")]
    [InlineData("sessions=no-path", "")]
    [InlineData("pktmon-counters=run", "engine=pktmon")]
    [InlineData("pktmon-counters=run", "engine=auto")]
    [InlineData("pktmon-list=denied", "engine=auto")]
    [InlineData("netsh-start=garbage", "")]
    [InlineData("netsh-start=hang-started", "")]
    [InlineData("netsh-start=ends-soon", "for=60000")]
    [InlineData("netsh-stop=fails", "")]
    [InlineData("netsh-stop=partial", "")]
    [InlineData("netsh-stop=missing", "")]
    [InlineData("sessions=hidden language=ja", "")]
    [InlineData("", "engine=pktmon split")]
    [InlineData("build=19045", "engine=pktmon split")]
    [InlineData("", "engine=etw split")]
    public void Record_Scenario_GoesAsOnLinux(string scripts, string options)
    {
        using StandInRun here = new();
        using StandInRun there = There();

        Assert.Equal(Record(here, path => path, scripts, options), Record(there, WineProgram.There, scripts, options));
    }

    [WineTheory]
    [InlineData("")]
    [InlineData("take-over")]
    public void Record_ForeignSession_GoesAsOnLinux(string options)
    {
        using StandInRun here = new();
        using StandInRun there = There();
        here.Machine.Begin(new("NetTrace-LAB-user", Path.Combine(here.Machine.Folder, "their.etl"), 0, 0, 0));
        there.Machine.Begin(new("NetTrace-LAB-user", WineProgram.There(Path.Combine(there.Machine.Folder, "their.etl")), 0, 0, 0));

        Assert.Equal(Record(here, path => path, "", options), Record(there, WineProgram.There, "", options));
    }

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

    [WineFact]
    public void Record_Snapshot_HasNamesInTheirLetters()
    {
        using StandInRun there = There();
        there.Output = Path.ChangeExtension(there.Output, BundleWriter.Extension);

        Assert.Equal(0, there.Record("snapshot"));
        SystemSnapshot snapshot = BundleAccount.Of(there.Output)!.Snapshot!;
        Assert.Contains(snapshot.Sections, section => section.Name is "adapters" && section.Facts[0].Subject is "Подключение по локальной сети");
    }

    [WineTheory]
    [MemberData(nameof(Steps))]
    public void Recover_KilledAtAStep_KeepsWhatWasRecorded(string engine, string step, bool hasRecorded)
    {
        using StandInRun run = There();
        run.Record($"engine={engine}", $"kill-at={step}");
        Assert.Equal($"step: {step}", run.Lines[^1]);

        Assert.Equal(0, run.Recover());
        AssertRecovered(run, hasRecorded);
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
        using StandInRun run = There();
        run.Machine.Script(program, answer);
        run.Record("engine=" + program.Split('-')[0]);

        // A program goes on when its parent is gone.
        Assert.True(SpinWait.SpinUntil(() => run.Machine.Sessions().Count == sessions, Patience));
        Assert.Equal(0, run.Recover());
        AssertRecovered(run, hasRecorded);
    }

    static void AssertRecovered(StandInRun run, bool hasRecorded)
    {
        Assert.True(run.IsClean);
        Assert.False(File.Exists(run.Output + ".part"));
        Assert.Equal(hasRecorded, File.Exists(run.Output));
        Assert.True(!hasRecorded || TraceInspector.Inspect(run.Output).Packets == 1);
    }

    // Everything that can be seen of a recording, with the paths of either system in the same form.
    static string Record(StandInRun run, Func<string, string> pathThere, string scripts, string options)
    {
        foreach (string script in scripts.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            run.Machine.Script(script.Split('=')[0], script.Split('=')[1]);
        }

        int exitCode = run.Record(options.Split(' ', StringSplitOptions.RemoveEmptyEntries));
        IEnumerable<string> seen = run.Lines.Where(line => !line.StartsWith("recording: ", StringComparison.Ordinal) && line is not "stopping").Concat(run.Machine.Calls);
        string folder = Path.GetDirectoryName(run.Root)!;
        string text = string.Join('\n', seen).Replace(pathThere(folder), "~", StringComparison.Ordinal).Replace('\\', '/');
        return FormattableString.Invariant($"{exitCode}, result {File.Exists(run.Output)}, clean {run.IsClean}\n{FolderId().Replace(text, "${place}ID")}");
    }

    // Made of time and process.
    [GeneratedRegex("(?<place>captures/|tcpdiag-)[0-9]{8}-[0-9]{6}-[0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex FolderId();
}
