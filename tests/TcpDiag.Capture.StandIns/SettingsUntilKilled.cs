using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture.Linux;
using TcpDiag.Doctor.Changes;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// Settings, and a process that is killed at a given moment: before and after each time that one is read or written. Between two of them the journal is
/// written, so that every moment of it is among them. On Linux they are the real ones of a network namespace, on Windows those of stand-ins.
/// </summary>
sealed class SettingsUntilKilled(IMachineSettings settings, int killedAt) : IMachineSettings
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    static readonly SettingChange[] OfLinux =
    [
        SettingChange.Of(SettingKind.Sysctl, string.Empty, "net.ipv4.tcp_rmem", "?", "4096 16384 6291456"),
        SettingChange.Of(SettingKind.Feature, "near0", "gro", "?", "on"),
    ];

    // The second is not there before: to take it back is to delete it.
    static readonly SettingChange[] OfWindows =
    [
        SettingChange.Of(SettingKind.TcpTemplate, "Internet", "AutoTuningLevelLocal", "?", "Normal"),
        SettingChange.Of(SettingKind.RegistryNumber, "AFD", "DefaultSendWindow", "?", "65536"),
    ];

    int _moment;

    /// <summary>Changes settings after what an earlier process left is taken back, or takes that back alone; says what they were in between.</summary>
    /// <param name="isUndo">Whether to take back alone.</param>
    /// <param name="machine">On Linux the network namespace, on Windows the folder of the machine of stand-ins.</param>
    /// <param name="folder">That of the journal.</param>
    /// <param name="killedAt">The moment, from 1.</param>
    public static int Run(bool isUndo, string machine, string folder, int killedAt)
    {
        MachineSettings real = OperatingSystem.IsWindows() ? StandIns(new(machine)) : OfNamespace(machine);
        SettingChange[] changes = OperatingSystem.IsWindows() ? OfWindows : OfLinux;
        using ChangeJournal journal = ChangeJournal.Create(folder, _ => null);
        var settings = new SettingsUntilKilled(real, killedAt);
        Undo(new(isUndo ? settings : real, journal, boot: null));
        Console.WriteLine(string.Join(", ", changes.Select(change => $"{change.Setting.Name} {real.Read(change.Setting) ?? "not set"}")));
        if (!isUndo)
        {
            Change(new(settings, journal, boot: null), changes, settings);
        }

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

    static MachineSettings OfNamespace(string space) =>
        new(call => LinuxPrograms.Run(new("nsenter", [$"--net={space}", call.Program, .. call.Arguments]), Limit));

    static MachineSettings StandIns(MachineState state) => new(call => StandInSettings.Run(state, call.Program, [.. call.Arguments]) is { } output
        ? new(0, output)
        : new(1, $"refused: {call}"));

    static void Undo(SettingChanger changer) => changer.UndoAll(change => !change.IsKept, isForced: false);

    // As a trial does: two changes, taken back and made again to compare, then kept.
    static void Change(SettingChanger changer, SettingChange[] changes, SettingsUntilKilled settings)
    {
        List<JournaledChange> made = [.. changes.Select(changer.Make)];
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
