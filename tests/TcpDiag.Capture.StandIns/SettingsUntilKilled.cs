using System;
using System.Collections.Generic;
using System.Diagnostics;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture.Linux;
using TcpDiag.Doctor.Changes;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// Real settings of a network namespace, and a process that is killed at a given moment: before and after each time that one is read or written. Between two
/// of them the journal is written, so that every moment of it is among them.
/// </summary>
sealed class SettingsUntilKilled(IMachineSettings settings, int killedAt) : IMachineSettings
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    int _moment;

    public static int Run(bool isUndo, string space, string folder, int killedAt)
    {
        var settings = new SettingsUntilKilled(
            new MachineSettings(call => LinuxPrograms.Run(new("nsenter", [$"--net={space}", call.Program, .. call.Arguments]), Limit)), killedAt);
        using ChangeJournal journal = ChangeJournal.Create(folder, _ => null);
        var changer = new SettingChanger(settings, journal, boot: null);
        if (isUndo)
        {
            changer.UndoAll(change => !change.IsKept, isForced: false);
            return 0;
        }

        Change(changer, settings);
        return 0;
    }

    public string? Read(MachineSetting setting)
    {
        Pass();
        string? value = settings.Read(setting);
        Pass();
        return value;
    }

    public void Write(MachineSetting setting, string? value)
    {
        Pass();
        settings.Write(setting, value);
        Pass();
    }

    // As a trial does: two changes, taken back and made again to compare, then kept.
    static void Change(SettingChanger changer, SettingsUntilKilled settings)
    {
        List<JournaledChange> made =
        [
            changer.Make(SettingChange.Of(SettingKind.Sysctl, string.Empty, "net.ipv4.tcp_rmem", "?", "4096 16384 6291456")),
            changer.Make(SettingChange.Of(SettingKind.Feature, "near0", "gro", "?", "on")),
        ];
        made.ForEach(change => changer.Set(change, isOn: false));
        made.ForEach(change => changer.Set(change, isOn: true));
        settings.Pass();
        changer.Keep(made);
        settings.Pass();
    }

    void Pass()
    {
        if (++_moment == killedAt)
        {
            using var self = Process.GetCurrentProcess();
            self.Kill(); // SIGKILL
        }
    }
}
