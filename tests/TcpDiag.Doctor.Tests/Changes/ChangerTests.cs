using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;
using Xunit;

namespace TcpDiag.Doctor.Tests.Changes;

public sealed class ChangerTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-change-").FullName;
    readonly Values _values = new() { ["net.ipv4.tcp_sack"] = "0", ["net.ipv4.tcp_dsack"] = "0" };

    string JournalFile => Path.Combine(_folder, "changes.jsonl");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void UndoAll_LastOneComesFirst_AndTheJournalIsEmpty()
    {
        using (ChangeJournal journal = Open())
        {
            SettingChanger changer = Changer(journal);
            changer.Keep([changer.Make(On("tcp_sack")), changer.Make(On("tcp_dsack"))]);
        }

        Assert.Equal(["1", "1"], _values.Values);
        using (ChangeJournal journal = ChangeJournal.TryOpen(_folder, _ => null)!)
        {
            Assert.All(journal.Open, change => Assert.True(change.IsKept));
            Assert.Equal(["net.ipv4.tcp_dsack", "net.ipv4.tcp_sack"],
                Changer(journal).UndoAll(_ => true, isForced: false).Select(undone => undone.Change.Setting.Name));
        }

        Assert.Equal(["0", "0"], _values.Values);
        Assert.Equal(0, new FileInfo(JournalFile).Length);
    }

    [Fact]
    public void Undo_ValueThatSomeoneChangedSince_StaysUnlessForced()
    {
        using ChangeJournal journal = Open();
        SettingChanger changer = Changer(journal);
        JournaledChange made = changer.Make(On("tcp_sack"));
        _values["net.ipv4.tcp_sack"] = "2";
        Assert.Equal((UndoResult.ChangedSince, "2"), Result(changer.Undo(made, isForced: false)));
        Assert.Equal("2", _values["net.ipv4.tcp_sack"]);
        Assert.Single(journal.Open);
        Assert.Equal((UndoResult.Restored, (string?)null), Result(changer.Undo(made, isForced: true)));
        Assert.Equal("0", _values["net.ipv4.tcp_sack"]);
        Assert.Empty(journal.Open);
    }

    // Linux forgets settings when it starts: what is there now is not of us.
    [Fact]
    public void Undo_AfterARestart_TouchesNothing()
    {
        using ChangeJournal journal = Open();
        JournaledChange made = Changer(journal).Make(On("tcp_sack"));
        Assert.Equal(UndoResult.Restored, new SettingChanger(_values, journal, "another boot").Undo(made, isForced: false).Result);
        Assert.Equal("1", _values["net.ipv4.tcp_sack"]);
        Assert.Empty(journal.Open);
    }

    [Fact]
    public void Undo_ThatFails_KeepsNoOtherFromIt()
    {
        using ChangeJournal journal = Open();
        SettingChanger changer = Changer(journal);
        changer.Make(On("tcp_sack"));
        changer.Make(On("tcp_dsack"));
        _values.Refused = "net.ipv4.tcp_dsack";
        Assert.Equal([UndoResult.Failed, UndoResult.Restored], changer.UndoAll(_ => true, isForced: false).Select(undone => undone.Result));
        Assert.Equal("net.ipv4.tcp_dsack", journal.Open.Single().Change.Setting.Name);
    }

    [Fact]
    public void Make_ValueThatItHas_IsRefused()
    {
        using ChangeJournal journal = Open();
        Assert.Equal("net.ipv4.tcp_sack is 0 already",
            Assert.Throws<PlatformException>(() => Changer(journal).Make(On("tcp_sack") with { After = "0" })).Message);
        Assert.Empty(journal.Open);
    }

    // Names and values may come from the file of a stranger.
    [Theory]
    [InlineData(SettingKind.Sysctl, "", "kernel.core_pattern", "1")]
    [InlineData(SettingKind.Sysctl, "", "net.ipv4.tcp_sack", "1; reboot")]
    [InlineData(SettingKind.Sysctl, "", "net.ipv4.tcp_sack", "1\n")]
    [InlineData(SettingKind.Sysctl, "", "net.ipv4.tcp_ecn", "0")]
    [InlineData(SettingKind.Feature, "-K", "gro", "on")]
    [InlineData(SettingKind.Feature, "eth0 lo", "gro", "on")]
    [InlineData(SettingKind.Feature, "eth0", "rx", "off")]
    [InlineData(SettingKind.PrivateFlag, "eth0", "flow-director-atr", "maybe")]
    [InlineData(SettingKind.Qdisc, "eth0", "", "netem loss 100%")]
    [InlineData(SettingKind.Qdisc, "eth0", "", "pfifo limit 1 parent 1:")]
    [InlineData(SettingKind.TcpTemplate, "Internet; calc", "AutoTuningLevelLocal", "Normal")]
    [InlineData(SettingKind.TcpTemplate, "Internet", "AutoTuningLevelLocal", "$(calc)")]
    [InlineData(SettingKind.TcpTemplate, "Internet", "ForceWS", "Enabled")]
    [InlineData(SettingKind.TcpGlobal, "", "rss", "disabled")]
    [InlineData(SettingKind.RegistryNumber, "Tcpip", "TcpTimedWaitDelay", "30")]
    [InlineData(SettingKind.RegistryNumber, "AFD", "DefaultReceiveWindow", "4294967296")]
    [InlineData(SettingKind.AdapterOffload, "Ethernet", "Rsc", "on")]
    [InlineData(SettingKind.Binding, "Ethernet", "acme_lwf", "off")]
    public void Make_WhatIsNotOnTheList_IsRefusedBeforeAnythingIsRead(SettingKind kind, string subject, string name, string value)
    {
        using ChangeJournal journal = Open();
        Assert.Throws<PlatformException>(() => new SettingChanger(new Untouchable(), journal, null).Make(SettingChange.Of(kind, subject, name, "?", value)));
        Assert.Throws<PlatformException>(
            () => new MachineSettings(_ => throw new InvalidOperationException("a program ran")).Write(new(kind, subject, name), value));
        Assert.Empty(journal.Open);
    }

    // A power cut may leave any part of the last line. What is whole is known, and what is written after it is read again.
    [Fact]
    public void Journal_CutAtEveryByte_KeepsWhatWasWhole()
    {
        using (ChangeJournal journal = Open())
        {
            Changer(journal).Make(On("tcp_sack"));
            Changer(journal).Make(On("tcp_dsack"));
        }

        byte[] whole = File.ReadAllBytes(JournalFile);
        int first = Array.IndexOf(whole, (byte)'\n') + 1;
        for (int length = 0; length <= whole.Length; length++)
        {
            File.WriteAllBytes(JournalFile, whole[..length]);
            int known = length < first ? 0 : length < whole.Length ? 1 : 2;
            using (ChangeJournal journal = ChangeJournal.TryOpen(_folder, _ => null)!)
            {
                Assert.Equal(known, journal.Open.Count);
                journal.Begin(On("tcp_sack"), null);
            }

            using ChangeJournal again = ChangeJournal.TryOpen(_folder, _ => null)!;
            Assert.Equal(known + 1, again.Open.Count);
        }
    }

    [Fact]
    public void Journal_DamagedWithin_IsLeftToPeople()
    {
        File.WriteAllText(JournalFile, "{\"id\":1,\"step\":\"begun\"\nnonsense\n");
        Assert.Contains("is damaged", Assert.Throws<PlatformException>(() => ChangeJournal.TryOpen(_folder, _ => null)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Journal_ThatAnotherProcessHolds_IsNotTouched()
    {
        using ChangeJournal journal = Open();
        Assert.Null(ChangeJournal.TryOpen(_folder, _ => null));
        Assert.Throws<PlatformException>(Open);
    }

    [Fact]
    public void Journal_ThatOthersCanWrite_IsNotTrusted()
    {
        Open().Dispose();
        Assert.Throws<CaptureException>(() => ChangeJournal.TryOpen(_folder, path => path.EndsWith(".jsonl", StringComparison.Ordinal) ? "anybody may" : null));
    }

    [Fact]
    public void Journal_OnUnix_IsForItsOwnerAlone()
    {
        Open().Dispose();
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(JournalFile));
        }
    }

    // 1 MB in 4 s and in 1 s: four times as fast. A transfer that broke off after 1 kB in 4 s has 1/1000 of the rate.
    [Theory]
    [InlineData(4, 1, 6, ChangeEffect.Faster)]
    [InlineData(1, 4, 6, ChangeEffect.Slower)]
    [InlineData(4, 1, 5, ChangeEffect.Unclear)] // five pairs alike have a chance of 2/2^5, 6 %
    [InlineData(1.04, 1, 6, ChangeEffect.Unclear)] // sure, and nobody notices
    [InlineData(1, 1, 6, ChangeEffect.Unclear)]
    public void PairedRuns_Judge_BySixPairs(double without, double with, int pairs, ChangeEffect effect)
    {
        var runs = new PairedRuns([.. Enumerable.Repeat((Run(1_000_000, without), Run(1_000_000, with)), pairs)]);
        Assert.Equal(effect, runs.Effect);
        Assert.Equal(without / with, runs.Min, 9);
        Assert.Equal(TimeSpan.FromSeconds(with), runs.Time(isWith: true));
    }

    [Fact]
    public void PairedRuns_OnePairTheOtherWay_IsUnclear()
    {
        var runs = new PairedRuns([.. Enumerable.Repeat((Run(1000, 4), Run(1000, 1)), 5), (Run(1000, 1), Run(1000, 2))]);
        Assert.Equal((ChangeEffect.Unclear, 0.5, 4.0), (runs.Effect, runs.Min, runs.Max));
    }

    [Fact]
    public void PairedRuns_TransfersThatFail_AreSlow()
    {
        var runs = new PairedRuns([.. Enumerable.Repeat((new MeasuredRun(1000, TimeSpan.FromSeconds(4), IsWhole: false), Run(1_000_000, 4)), 6)]);
        Assert.Equal((ChangeEffect.Faster, 0, 6), (runs.Effect, runs.Whole(isWith: false), runs.Whole(isWith: true)));
        Assert.Equal(1000, runs.Min, 9);
    }

    static MeasuredRun Run(long bytes, double seconds) => new(bytes, TimeSpan.FromSeconds(seconds), IsWhole: true);

    static (UndoResult Result, string? Detail) Result(UndoneChange undone) => (undone.Result, undone.Detail);

    static SettingChange On(string name) => SettingChange.Of(SettingKind.Sysctl, string.Empty, $"net.ipv4.{name}", "?", "1");

    ChangeJournal Open() => ChangeJournal.Create(_folder, _ => null);

    SettingChanger Changer(ChangeJournal journal) => new(_values, journal, "this boot");

    sealed class Values : SortedDictionary<string, string>, IMachineSettings
    {
        public string? Refused { get; set; }

        public string? Read(MachineSetting setting) => this[setting.Name];

        public void Write(MachineSetting setting, string? value) => this[setting.Name] = string.Equals(setting.Name, Refused, StringComparison.Ordinal)
            ? throw new PlatformException("refused")
            : value!;
    }

    sealed class Untouchable : IMachineSettings
    {
        public string? Read(MachineSetting setting) => throw new InvalidOperationException("was read");

        public void Write(MachineSetting setting, string? value) => throw new InvalidOperationException("was written");
    }
}
