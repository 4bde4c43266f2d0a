using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Analysis.Findings;
using TcpDiag.Capture.Sessions;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;
using Xunit;

namespace TcpDiag.Doctor.Tests.Changes;

/// <summary>Programs of Windows as stand-ins: every argument is compared, and any other call fails.</summary>
public sealed class WindowsChangeTests : IDisposable
{
    const string PowerShell = "powershell|-NoProfile|-NonInteractive|-ExecutionPolicy|Bypass|-Command|$ErrorActionPreference='Stop'; ";
    const string Key = @"HKLM\SYSTEM\CurrentControlSet\Services\AFD\Parameters";

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-change-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Template_IsChangedByPowerShell_AndBack()
    {
        const string Read = PowerShell + "(Get-NetTCPSetting -SettingName Internet).AutoTuningLevelLocal";
        const string Set = PowerShell + "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal ";
        MakeAndUndo(
            SettingChange.Of(SettingKind.TcpTemplate, "Internet", "AutoTuningLevelLocal", "?", "Normal"),
            (Read, "HighlyRestricted\r\n"), (Set + "Normal", ""), (Read, "Normal\r\n"),
            (Read, "Normal\r\n"), (Set + "HighlyRestricted", ""), (Read, "HighlyRestricted\r\n"));
    }

    [Fact]
    public void Global_IsChangedByNetsh_AndBack()
    {
        const string Read = "netsh|interface|tcp|dump";
        const string Set = "netsh|interface|tcp|set|global|timestamps=";
        MakeAndUndo(
            SettingChange.Of(SettingKind.TcpGlobal, "", "timestamps", "?", "enabled"),
            (Read, Dump("allowed")), (Set + "enabled", "Ok.\r\n"), (Read, Dump("enabled")),
            (Read, Dump("enabled")), (Set + "allowed", "OK.\r\n"), (Read, Dump("allowed")));
    }

    // 0x2000 = 8192.
    [Fact]
    public void RegistryNumber_IsRemoved_AndPutBack()
    {
        const string Read = $"reg|query|{Key}";
        MakeAndUndo(
            SettingChange.Of(SettingKind.RegistryNumber, "AFD", "DefaultReceiveWindow", "?", null),
            (Read, Listing("    DefaultReceiveWindow    REG_DWORD    0x2000\r\n")), ($"reg|delete|{Key}|/v|DefaultReceiveWindow|/f", ""), (Read, Listing("")),
            (Read, Listing("")), ($"reg|add|{Key}|/v|DefaultReceiveWindow|/t|REG_DWORD|/d|8192|/f", ""),
            (Read, Listing("    DefaultReceiveWindow    REG_DWORD    0x2000\r\n")));
    }

    [Fact]
    public void RegistryValue_OfAnotherType_IsNotTouched() => AssertRefused(
        SettingChange.Of(SettingKind.RegistryNumber, "AFD", "DefaultReceiveWindow", "?", null),
        "AFD DefaultReceiveWindow cannot be read in a form that could be put back",
        ($"reg|query|{Key}", Listing("    DefaultReceiveWindow    REG_SZ    8192\r\n")));

    [Fact]
    public void Write_ThatWindowsIgnores_IsToldAndTakenBack() => AssertRefused(
        SettingChange.Of(SettingKind.TcpGlobal, "", "hystart", "?", "disabled"),
        "`netsh interface tcp set global hystart=disabled` did not take: it is enabled",
        ("netsh|interface|tcp|dump", "set global hystart=enabled\n"), ("netsh|interface|tcp|set|global|hystart=disabled", ""),
        ("netsh|interface|tcp|dump", "set global hystart=enabled\n"), ("netsh|interface|tcp|dump", "set global hystart=enabled\n"));

    [Fact]
    public void Program_ThatFails_IsToldAndTakenBack() => AssertRefused(
        SettingChange.Of(SettingKind.TcpGlobal, "", "hystart", "?", "disabled"),
        "`netsh interface tcp set global hystart=disabled` ended with exit code 1: 'Zugriff verweigert'",
        ("netsh|interface|tcp|dump", "set global hystart=enabled\n"), ("netsh|interface|tcp|set|global|hystart=disabled", "!Zugriff verweigert"),
        ("netsh|interface|tcp|dump", "set global hystart=enabled\n"));

    void AssertRefused(SettingChange change, string message, params (string Call, string Output)[] script)
    {
        var programs = new Scripted(script);
        using ChangeJournal journal = ChangeJournal.Create(_folder, _ => null);
        var changer = new SettingChanger(new MachineSettings(programs.Run), journal, boot: null);
        Assert.Equal(message, Assert.Throws<PlatformException>(() => changer.Make(change)).Message);
        Assert.Empty(journal.Open);
        programs.AssertDone();
    }

    void MakeAndUndo(SettingChange change, params (string Call, string Output)[] script)
    {
        var programs = new Scripted(script);
        using ChangeJournal journal = ChangeJournal.Create(_folder, _ => null);
        var changer = new SettingChanger(new MachineSettings(programs.Run), journal, boot: null);
        JournaledChange made = changer.Make(change);
        Assert.Equal(UndoResult.Restored, changer.Undo(made, isForced: false).Result);
        Assert.Empty(journal.Open);
        programs.AssertDone();
    }

    static string Dump(string timestamps) =>
        $"# ----\r\npushd interface tcp\r\n\r\nreset\r\nset global rss=enabled autotuninglevel=normal timestamps={timestamps}\r\nset supplemental "
            + $"template=internet\r\npopd\r\n";

    static string Listing(string values) => $"\r\n{Key}\r\n    EnableDynamicBacklog    REG_DWORD    0x0\r\n{values}\r\n";

    sealed class Scripted(IEnumerable<(string Call, string Output)> script)
    {
        readonly Queue<(string Call, string Output)> _left = new(script);

        public ProgramResult Run(ProgramCall call)
        {
            (string expected, string output) = _left.Dequeue();
            Assert.Equal(expected, string.Join('|', [call.Program, .. call.Arguments]));
            Assert.Equal(call.Program is "powershell", call.PrintsUtf8);
            return output.StartsWith('!') ? new(1, output[1..]) : new(0, output);
        }

        public void AssertDone() => Assert.Empty(_left);
    }
}
