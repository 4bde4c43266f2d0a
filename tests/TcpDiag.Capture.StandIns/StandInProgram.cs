using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.StandIns;

/// <summary>A stand-in for netsh and pktmon: it takes only arguments that the real ones take, and answers as scripted.</summary>
/// <param name="state">The machine.</param>
/// <param name="parent">Process id of the recorder.</param>
sealed class StandInProgram(MachineState state, int parent)
{
    const string NetshSession = "NetTrace-LAB-user";
    const string PktmonSession = "PktMon";

    public int Run(string program, string[] arguments)
    {
        state.Note(ProgramCall.Of(program, arguments).ToString());
        return (program, arguments) switch
        {
            ("netsh", ["trace", "start", .. var options]) => StartNetsh(options),
            ("netsh", ["wlan", "show", "interfaces"]) => Print("no-wlan", 1), // its service is not there on machines without a wireless card
            ("w32tm", ["/query", "/status"]) => Say("Stratum: 3", 0),
            ("netsh", ["interface", "tcp", ..]) or ("reg", _) => Settle(program, arguments),
            ("netsh", ["trace", "stop"]) => Stop("netsh", NetshSession),
            ("netsh", ["trace", "show", "status"]) => Show("netsh"),
            ("pktmon", ["filter", "remove"]) => RemoveFilters(),
            ("pktmon", ["filter", "list"]) => ListFilters(),
            ("pktmon", ["filter", "add", var name, .. var tests]) => AddFilter(name, tests),
            ("pktmon", ["start", .. var options]) => StartPktmon(options),
            ("pktmon", ["stop"]) => Stop("pktmon", PktmonSession),
            ("pktmon", ["status"]) => ShowPktmon(),
            ("powershell", ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", var script]) =>
                script.Contains("-NetTCPSetting -SettingName", StringComparison.Ordinal) ? Settle(program, arguments) : Query(script),
            _ => Fail("unknown"),
        };
    }

    // Scripted to kill whoever changes the settings, before or after a certain change: kill-first-2, kill-last-1.
    int Settle(string program, string[] arguments)
    {
        bool isChange = StandInSettings.IsChange(program, arguments);
        int number = isChange ? int.Parse(state.Setting("changes", "count") ?? "0", null) + 1 : 0;
        if (isChange)
        {
            state.SetSetting("changes", "count", number.ToString(CultureInfo.InvariantCulture));
        }

        string moment = state.Answer("setting");
        KillParentIf(string.Equals(moment, FormattableString.Invariant($"kill-first-{number}"), StringComparison.Ordinal));
        string? said = StandInSettings.Run(state, program, arguments);
        KillParentIf(string.Equals(moment, FormattableString.Invariant($"kill-last-{number}"), StringComparison.Ordinal));
        return said is null ? Fail("unknown") : Say(said, 0);
    }

    int StartNetsh(string[] options) => StandInArguments.IsNetshStart(options)
        ? Start("netsh", NetshSession, options.Single(option => option.StartsWith("tracefile=", StringComparison.Ordinal))["tracefile=".Length..])
        : Fail("wrong-build");

    int AddFilter(string name, string[] tests)
    {
        string answer = state.Answer("pktmon-filter");
        KillParentIf(answer is "kill-first");
        HangIf(answer is "hang");
        if (answer is "denied" || !StandInArguments.IsPktmonFilter(tests))
        {
            return Fail(answer is "denied" ? answer : "wrong-build");
        }

        if (answer is not "forgotten")
        {
            state.AddFilter(name, string.Join(' ', tests));
        }

        KillParentIf(answer is "kill-last");
        return Print("added", 0);
    }

    int StartPktmon(string[] options)
    {
        string trace = PktmonSyntax.Value(options, options is ["--etw", ..] ? "-f" : "--file-name")!;
        bool isSplit = PktmonSyntax.Value(options, "--log-mode") is "multi-file";
        return StandInArguments.IsPktmonStart(options, state.Build) ? Start("pktmon", PktmonSession, isSplit ? StandInTrace.PieceOf(trace, 1) : trace)
            : Fail("wrong-build");
    }

    int RemoveFilters()
    {
        if (state.Answer("pktmon-filter-remove") is "denied")
        {
            return Fail("denied");
        }

        state.RemoveFilters();
        return Print("removed", 0);
    }

    int ListFilters() => state.Answer("pktmon-list") is "success" ? Say(Table(), 0) : Fail("denied");

    int Start(string program, string session, string trace)
    {
        string answer = state.Answer(program + "-start");
        KillParentIf(answer is "kill-first");
        if (answer is "denied" or "wrong-build" || Find(session) is not null)
        {
            return Fail(answer is "success" ? "running" : answer);
        }

        if (answer is "garbage")
        {
            return Print("\u0000\u0001\uFFFD…", 0);
        }

        if (answer is not "hang")
        {
            state.Begin(new(session, trace, 0, state.Answer("buffers") is "lost" ? 7 : 0, state.Answer("bytes") is "success" ? 0
                : long.Parse(state.Answer("bytes"), null)));
            File.WriteAllBytes(trace, new byte[64]);
        }

        HangIf(answer.StartsWith("hang", StringComparison.Ordinal));
        KillParentIf(answer is "kill-last");
        return Print("started", 0);
    }

    int Stop(string program, string session)
    {
        string answer = state.Answer(program + "-stop");
        KillParentIf(answer is "kill-first");
        if (program is "pktmon" && state.Answer("pktmon-counters") is "run")
        {
            state.Script("pktmon-counters", answer is "fails" ? "run" : "stopped");
            return answer is "fails" ? Fail("busy") : Print("stopped", 0);
        }

        if (Find(session) is not { } running)
        {
            return Fail("idle");
        }

        HangIf(answer is "hang");
        if (answer is "fails")
        {
            return Fail("busy");
        }

        File.Delete(running.LogFile);
        if (answer is not "missing")
        {
            StandInTrace.WriteAll(running.LogFile, answer, state.Packets);
        }

        if (answer is "output-gone")
        {
            Directory.Delete(Path.Combine(state.Folder, "share"), recursive: true);
        }

        state.End(session);
        KillParentIf(answer is "kill-last");
        return answer is "fails-stopped" ? Fail("busy") : Print("stopped", 0);
    }

    // PowerShell prints in the code page of its console unless the script sets another.
    int Query(string script)
    {
        HangIf(state.Answer("powershell") is "hang");
        if (script.Contains("[Console]::OutputEncoding=New-Object Text.UTF8Encoding $false", StringComparison.Ordinal))
        {
            Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
        }

        return Say(Object(script), 0);
    }

    string Object(string script) => script switch
    {
        // The log of the WLAN service: nothing is in it on machines without a wireless card.
        _ when script.Contains("Get-WinEvent ", StringComparison.Ordinal) =>
            state.Answer("wlan-log") is var log && IsWlanQuery(script) && log is not "success" ? log : string.Empty,
        _ when script.Contains("'MSFT_NetAdapter'", StringComparison.Ordinal) =>
            """[{"Name":"Подключение по локальной сети","DriverName":"\\SystemRoot\\System32\\drivers\\e1d.sys"}]""",
        _ when script.Contains("'MSFT_NetTCPSetting'", StringComparison.Ordinal) && state.Answer("autotuning") is "off" =>
            $$"""[{"SettingName":"Internet","AutoTuningLevelLocal":{{StandInSettings.Level(state, "Internet")}}},{"SettingName":"Datacenter","AutoTuningLevelLocal":3}]""",
        _ => "[]",
    };

    static bool IsWlanQuery(string script) =>
        script.Contains("-FilterHashtable @{LogName='Microsoft-Windows-WLAN-AutoConfig/Operational'; Id=8000,8001,8002,8003,11001,11004,11005; "
        + "StartTime=[DateTime]::UtcNow.AddSeconds(-", StringComparison.Ordinal);

    // As on Windows: without a session the exit code differs between builds, and the words between languages.
    int Show(string program)
    {
        return state.Sessions() is not [var running, ..]
            ? Print("idle", state.Answer(program + "-show") is "success" ? 0 : 1)
            : Say($"{Words.Of(state.Answer("language"), "file")}  {running.LogFile}", 0);
    }

    // One line when it is idle; else each thing with a head.
    int ShowPktmon()
    {
        string Head(string word) => Words.Of(state.Answer("language"), word);
        return Find(PktmonSession) is { } running
            ? Say($"{Head("logger")}\n    {PktmonSession}\n    {Head("file")}  {running.LogFile}\n\n{Counters()}", 0)
            : state.Answer("pktmon-counters") is "run" ? Say(Counters(), 0)
            : Print("idle", 0);

        string Counters() => $"{Head("collected")}\n    Packet counters\n\n{Head("components")}\n    All\n\n{Table()}";
    }

    // A translated head, then a table, as the real one prints.
    string Table() => $"{Words.Of(state.Answer("language"), "filters")}\n" + (
        state.Filters.Count == 0 ? "    None" : $"     # Name     Protocol Port\n     - ----     -------- ----\n     {string.Join("\n     ", state.Filters)}");

    EtwSession? Find(string session) => state.Sessions().FirstOrDefault(running => string.Equals(running.Name, session, StringComparison.Ordinal));

    int Fail(string word) => Print(word, 1);

    int Print(string word, int exitCode) => Say(Words.Of(state.Answer("language"), word), exitCode);

    static int Say(string text, int exitCode)
    {
        Console.WriteLine(text);
        return exitCode;
    }

    static void HangIf(bool condition)
    {
        using var never = new ManualResetEvent(initialState: false);
        if (condition)
        {
            never.WaitOne();
        }
    }

    void KillParentIf(bool condition)
    {
        if (condition)
        {
            using Process recorder = Process.GetProcessById(parent);
            recorder.Kill();
            recorder.WaitForExit();
        }
    }
}

/// <summary>What programs of Windows say, in several languages; nothing that decides may depend on it.</summary>
static class Words
{
    static readonly Dictionary<string, string> English = new()
    {
        ["started"] = "Trace configuration:\nStatus:             Running",
        ["stopped"] = "Merging traces ... done\nTracing session was successfully stopped.",
        ["idle"] = "There is no trace session currently in progress.",
        ["running"] = "A tracing session is already in progress.",
        ["denied"] = "The requested operation requires elevation (Run as administrator).",
        ["wrong-build"] = "perfMerge is not a valid argument for this command.",
        ["busy"] = "The resource is in use.",
        ["no-wlan"] = "The Wireless AutoConfig Service (wlansvc) is not running.",
        ["file"] = "Trace File:",
        ["filters"] = "Packet Filters:",
        ["logger"] = "Logger Parameters:",
        ["collected"] = "Collected Data:",
        ["components"] = "Monitored Components:",
    };

    static readonly Dictionary<string, Dictionary<string, string>> Others = new()
    {
        ["de"] = new()
        {
            ["denied"] = "Der angeforderte Vorgang erfordert erhöhte Rechte (Als Administrator ausführen).",
            ["idle"] = "Zurzeit wird keine Ablaufverfolgungssitzung ausgeführt.",
            ["file"] = "Ablaufverfolgungsdatei:",
            ["filters"] = "Paketfilter:"
        },
        ["ja"] = new() { ["idle"] = "現在進行中のトレース セッションはありません。", ["file"] = "トレース ファイル:", ["filters"] = "パケット フィルター:" },
        ["ru"] = new() { ["idle"] = "В настоящее время нет сеансов трассировки.", ["file"] = "Файл трассировки:" },
        ["ar"] = new() { ["idle"] = "لا توجد جلسة تتبع قيد التقدم حاليًا.", ["file"] = "ملف التتبع:" },
    };

    /// <summary>A text.</summary>
    /// <param name="language">Two letters; anything else is English.</param>
    /// <param name="word">Its name; an unknown one stands for itself.</param>
    /// <returns>The text.</returns>
    public static string Of(string language, string word) =>
        Others.TryGetValue(language, out Dictionary<string, string>? other) && other.TryGetValue(word, out string? text) ? text
        : English.TryGetValue(word, out text) ? text : word;
}
