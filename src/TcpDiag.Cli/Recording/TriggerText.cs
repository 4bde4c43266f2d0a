using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Capture.Triggers;

namespace TcpDiag.Cli.Recording;

/// <summary>Reads what <c>--until</c> waits for: conditions of a few words each, joined by <c>or</c> (docs/capture.md).</summary>
static class TriggerText
{
    /// <summary>What may be said.</summary>
    public const string Forms =
        "goodput below 1mbit for 5s | retransmissions above 1pct for 5s | reset | event 1351 | event tcp_retransmit_skb | "
        + "process start NAME | process exit NAME-OR-ID";

    const string Or = "or";

    /// <summary>Reads conditions.</summary>
    /// <param name="words">The words, in one or more arguments.</param>
    /// <param name="conditions">The conditions.</param>
    /// <param name="error">What is wrong; null when nothing is.</param>
    public static bool TryParse(IEnumerable<string> words, out IReadOnlyList<TriggerCondition> conditions, out string? error)
    {
        var found = new List<TriggerCondition>();
        conditions = found;
        error = null;
        foreach (string[] part in Split(string.Join(' ', words).ToLowerInvariant()))
        {
            if (ParseOne(part) is not { } condition)
            {
                error = $"--until: expected {Forms}; found '{string.Join(' ', part)}'";
                return false;
            }

            found.Add(condition);
        }

        return true;
    }

    static IEnumerable<string[]> Split(string text)
    {
        var part = new List<string>();
        foreach (string word in text.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries).Append(Or))
        {
            if (word is Or)
            {
                yield return [.. part];
                part.Clear();
            }
            else
            {
                part.Add(word);
            }
        }
    }

    static TriggerCondition? ParseOne(string[] words) => words switch
    {
        ["goodput", "below", var rate, "for", var time]
            when QuantityText.TryParseRate(rate, out double bits) && bits > 0 && TryParseTime(time, out TimeSpan span) => new GoodputBelow(bits, span),
        ["retransmissions", "above", var share, "for", var time]
            when QuantityText.TryParseShare(share, out double part) && TryParseTime(time, out TimeSpan span) => new RetransmissionsAbove(part, span),
        ["reset"] => new ResetSeen(),
        ["event", var name] when IsEvent(name) => new EventSeen(name),
        ["process", "start", var name] => new ProcessChange(IsStart: true, name, Id: 0),
        ["process", "exit", var name] => int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id > 0
            ? new ProcessChange(IsStart: false, string.Empty, id)
            : new ProcessChange(IsStart: false, name, Id: 0),
        _ => null,
    };

    static bool TryParseTime(string text, out TimeSpan time) => QuantityText.TryParseTime(text, out time) && time > TimeSpan.Zero;

    static bool IsEvent(string name) => name.All(char.IsAsciiDigit)
        ? ushort.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out _)
        : char.IsAsciiLetter(name[0]);
}
