using System.Collections.Generic;

namespace TcpDiag.Capture.StandIns;

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
        ["file"] = "Trace File:",
        ["filters"] = "Packet Filters:",
        ["logger"] = "Logger Parameters:",
        ["collected"] = "Collected Data:",
        ["components"] = "Monitored Components:",
    };

    static readonly Dictionary<string, Dictionary<string, string>> Others = new()
    {
        ["de"] = new() { ["denied"] = "Der angeforderte Vorgang erfordert erhöhte Rechte (Als Administrator ausführen).", ["idle"] = "Zurzeit wird keine Ablaufverfolgungssitzung ausgeführt.", ["file"] = "Ablaufverfolgungsdatei:", ["filters"] = "Paketfilter:" },
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
