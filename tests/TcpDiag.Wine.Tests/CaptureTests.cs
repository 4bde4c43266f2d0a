using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// Recordings by the win-x64 build on a machine of stand-ins, under Wine. What must come of each scenario is asserted by TcpDiag.Capture.Tests, on Linux;
/// here it is run on both and must go the same way: the same lines, the same calls, the same leftovers.
/// </summary>
public sealed partial class CaptureTests
{
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
    [InlineData("pktmon-start=hang", "engine=pktmon")]
    [InlineData("netsh-start=hang", "")]
    [InlineData("netsh-stop=hang", "")]
    [InlineData("pktmon-stop=hang", "engine=pktmon")]
    [InlineData("netsh-stop=empty", "")]
    [InlineData("netsh-stop=garbage-file", "")]
    [InlineData("netsh-stop=events-only", "")]
    [InlineData("pktmon-stop=empty", "engine=pktmon")]
    [InlineData("pktmon-stop=garbage-file", "engine=pktmon")]
    [InlineData("pktmon-stop=events-only", "engine=pktmon")]
    [InlineData("sessions=device-path", "engine=etw")]
    [InlineData("sessions=unlisted", "")]
    [InlineData("etw-start=denied", "engine=etw")]
    [InlineData("etw-stop=events-only", "engine=etw")]
    [InlineData("etw-stop=neither", "engine=etw")]
    [InlineData("netsh-stop=fails stop-session=fails", "")]
    [InlineData("bytes=1048576", "for=60000")]
    [InlineData("bytes=1048576", "ring")]
    [InlineData("netsh-stop=late", "ring ring-time=60")]
    [InlineData("", "until-reset for=60000")]
    [InlineData("listen=refused", "until-reset")]
    [InlineData("", "until-eof for=60000")]
    [InlineData("free=1048576", "")]
    [InlineData("free-later=1048576", "for=60000")]
    [InlineData("sessions=hidden language=ru", "")]
    [InlineData("sessions=hidden language=ar", "engine=pktmon")]
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

    [WineTheory]
    [InlineData("engine=pktmon")]
    [InlineData("engine=pktmon take-over")]
    [InlineData("engine=auto")]
    public void Record_ForeignFilters_GoesAsOnLinux(string options)
    {
        using StandInRun here = new();
        using StandInRun there = There();
        here.Machine.AddFilter("SenseNdr", "TCP");
        there.Machine.AddFilter("SenseNdr", "TCP");

        Assert.Equal(Record(here, path => path, "", options), Record(there, WineProgram.There, "", options));
        Assert.Equal(here.Machine.Filters, there.Machine.Filters);
    }

    // No folder for it from the first; or none any more when it is to be written, until somebody makes it again.
    [WineTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Record_NoPlaceForTheResult_GoesAsOnLinux(bool vanishes)
    {
        using StandInRun here = new();
        using StandInRun there = There();

        Assert.Equal(RecordWithoutPlace(here, path => path, vanishes), RecordWithoutPlace(there, WineProgram.There, vanishes));
    }

    static string RecordWithoutPlace(StandInRun run, Func<string, string> pathThere, bool vanishes)
    {
        string share = Path.Combine(run.Machine.Folder, "share");
        run.Output = Path.Combine(share, "slow.etl");
        if (!vanishes)
        {
            return Record(run, pathThere, "", "");
        }

        Directory.CreateDirectory(share);
        string recorded = Record(run, pathThere, "netsh-stop=output-gone", "");
        Directory.CreateDirectory(share);
        return recorded + "\n" + Recover(run, pathThere);
    }

    [WineTheory]
    [InlineData("not JSON\n")]
    [InlineData("{}\n")]
    [InlineData("\0\0\0\0")] // a power cut on NTFS
    [InlineData(null)] // the last line is cut
    public void Recover_JournalIsDamaged_GoesAsOnLinux(string? journal)
    {
        using StandInRun here = new();
        using StandInRun there = There();

        Assert.Equal(RecoverDamaged(here, path => path, journal), RecoverDamaged(there, WineProgram.There, journal));
    }

    static string RecoverDamaged(StandInRun run, Func<string, string> pathThere, string? journal)
    {
        run.Record("kill-at=Stopped");
        string path = Directory.GetFiles(run.Root, "journal.jsonl", SearchOption.AllDirectories).Single();
        File.WriteAllText(path, journal ?? File.ReadAllText(path)[..^10]);
        return Recover(run, pathThere);
    }

    [WineFact]
    public void Record_Snapshot_HasNamesInTheirLetters()
    {
        using StandInRun there = There();
        there.Output = Path.ChangeExtension(there.Output, BundleWriter.Extension);

        Assert.Equal(0, there.Record("snapshot"));
        SystemSnapshot snapshot = BundleContents.Of(there.Output)!.Snapshot!;
        Assert.Contains(snapshot.Sections, section => section.Name is "adapters" && section.Facts[0].Subject is "Подключение по локальной сети");
    }

    // Everything that can be seen of a recording, with the paths of either system in the same form.
    static string Record(StandInRun run, Func<string, string> pathThere, string scripts, string options)
    {
        foreach (string script in scripts.Split(' ', StringSplitOptions.RemoveEmptyEntries))
        {
            run.Machine.Script(script.Split('=')[0], script.Split('=')[1]);
        }

        return Seen(run, pathThere, run.Record(options.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
    }

    static string Recover(StandInRun run, Func<string, string> pathThere) => Moment().Replace(Seen(run, pathThere, run.Recover()), "TIME");

    static string Seen(StandInRun run, Func<string, string> pathThere, int exitCode)
    {
        IEnumerable<string> seen = run.Lines.Where(line => !line.StartsWith("recording: ", StringComparison.Ordinal)
            && line is not "stopping").Concat(run.Machine.Calls);
        string folder = Path.GetDirectoryName(run.Root)!;
        string text = string.Join('\n', seen).Replace(pathThere(folder), "~", StringComparison.Ordinal).Replace('\\', '/');
        return FormattableString.Invariant($"{exitCode}, result {File.Exists(run.Output)}, clean {run.IsClean}\n{FolderId().Replace(text, "${place}ID")}");
    }

    // When a recording began.
    [GeneratedRegex("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}Z", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Moment();

    // Made of time and process.
    [GeneratedRegex("(?<place>captures/|tcpdiag-)[0-9]{8}-[0-9]{6}-[0-9]+", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex FolderId();
}
