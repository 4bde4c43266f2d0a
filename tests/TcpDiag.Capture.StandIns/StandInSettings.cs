using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Capture.StandIns;

/// <summary>
/// Settings of TCP that stay, as files of the machine. Set-NetTCPSetting, netsh and reg take what their references name: templates, parameters, values and
/// ranges. Anything else is refused, as they do.
/// </summary>
static class StandInSettings
{
    const string Prologue = "$ErrorActionPreference='Stop'; ";
    const string Services = @"HKLM\SYSTEM\CurrentControlSet\Services\";

    static readonly string[] Levels = ["Disabled", "HighlyRestricted", "Restricted", "Normal", "Experimental"];
    static readonly string[] Switch = ["Disabled", "Enabled"];

    // Set-NetTCPSetting; names may be cut short where that is unambiguous, as PowerShell allows.
    static readonly Dictionary<string, Predicate<string>> Parameters = new(StringComparer.Ordinal)
    {
        ["AutoTuningLevelLocal"] = value => Levels.Contains(value, StringComparer.Ordinal),
        ["ScalingHeuristics"] = IsSwitch,
        ["EcnCapability"] = IsSwitch,
        ["AutomaticUseCustom"] = IsSwitch,
        ["CwndRestart"] = value => value is "False" or "True",
        ["InitialCongestionWindow"] = value => IsNumber(value, 2, 64),
        ["MinRto"] = value => IsNumber(value, 20, 300),
        ["DelayedAckTimeout"] = value => IsNumber(value, 10, 600),
        ["DelayedAckFrequency"] = value => IsNumber(value, 1, 255),
    };

    static readonly string[] Templates = ["Internet", "InternetCustom", "Datacenter", "DatacenterCustom", "Compat"];

    /// <summary>Whether a call changes a setting.</summary>
    public static bool IsChange(string program, string[] arguments) => (program, arguments) switch
    {
        ("powershell", [.., var script]) => script.StartsWith(Prologue + "Set-", StringComparison.Ordinal),
        ("netsh", ["interface", "tcp", "set", ..]) or ("reg", ["add" or "delete", ..]) => true,
        _ => false,
    };

    /// <summary>Does what a program is asked.</summary>
    /// <returns>What it says; null where it refuses.</returns>
    public static string? Run(MachineState state, string program, string[] arguments) => (program, arguments) switch
    {
        ("powershell", [.., var script]) when script.StartsWith(Prologue, StringComparison.Ordinal) => PowerShell(state, script[Prologue.Length..].Split(' ')),
        ("netsh", ["interface", "tcp", "set", "global", var pair]) => Set(state, "global", pair.Split('=')),
        ("netsh", ["interface", "tcp", "dump"]) => Dump(state),
        ("reg", ["query", var key]) when IsKey(key) => Listing(state, key),
        ("reg", ["add", var key, "/v", var name, "/t", "REG_DWORD", "/d", var value, "/f"]) when IsKey(key) && uint.TryParse(value, out _) =>
            Set(state, key, [name, value]),
        ("reg", ["delete", var key, "/v", var name, "/f"]) when IsKey(key) && state.Setting(key, name) is not null => Set(state, key, [name, null]),
        _ => null,
    };

    /// <summary>A value of a template as it is now.</summary>
    public static string? Template(MachineState state, string template, string name) => state.Setting(template, name)
        ?? (name, state.Answer("autotuning"), template) switch
        {
            ("AutoTuningLevelLocal", "off", "Internet") => "Disabled",
            ("AutoTuningLevelLocal", _, _) => "Normal",
            _ => null,
        };

    /// <summary>Autotuning of a template, as MSFT_NetTCPSetting has it.</summary>
    public static int Level(MachineState state, string template) => Array.IndexOf(Levels, Template(state, template, "AutoTuningLevelLocal"));

    static string? PowerShell(MachineState state, string[] words) => words switch
    {
        ["(Get-NetTCPSetting", "-SettingName", var rest] when rest.Split(").") is [var template, var name]
            && Templates.Contains(template, StringComparer.Ordinal) =>
            Template(state, template, name),
        ["Set-NetTCPSetting", "-SettingName", var template, ['-', .. var name], var value]
            when Templates.Contains(template, StringComparer.Ordinal) && Parameters.TryGetValue(name, out Predicate<string>? isTaken) && isTaken(value) =>
            Set(state, template, [name, value]),
        _ => null,
    };

    static string Dump(MachineState state) => string.Create(
        CultureInfo.InvariantCulture, $"pushd interface tcp\nset global hystart={state.Setting("global", "hystart") ?? "enabled"}\npopd");

    static string? Listing(MachineState state, string key) => string.Join('\n', ((string[])[string.Empty, key]).Concat(
        ((string[])["DefaultReceiveWindow", "DefaultSendWindow", "DynamicSendBufferDisable", "SackOpts"]).Where(name => state.Setting(key, name) is not null)
            .Select(name => string.Create(
            CultureInfo.InvariantCulture, $"    {name}    REG_DWORD    0x{uint.Parse(state.Setting(key, name)!, CultureInfo.InvariantCulture):x}"))));

    static string? Set(MachineState state, string subject, string?[] pair)
    {
        if (pair is not [{ } name, var value]
            || (subject is "global" && (name is not ("hystart" or "timestamps") || value is not ("enabled" or "disabled" or "default"))))
        {
            return null;
        }

        state.SetSetting(subject, name, value);
        return string.Empty;
    }

    static bool IsKey(string key) => key is Services + @"AFD\Parameters" or Services + @"Tcpip\Parameters";

    static bool IsSwitch(string value) => Switch.Contains(value, StringComparer.Ordinal);

    static bool IsNumber(string value, int least, int most) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= least && number <= most;
}
