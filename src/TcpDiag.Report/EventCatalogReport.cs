using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Spectre.Console;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>Shows the events that Windows builds declare, as text.</summary>
public static class EventCatalogReport
{
    static readonly string[] Levels = ["", "critical", "error", "warning", "info", "verbose"];

    /// <summary>One line for each event.</summary>
    public static void WriteList(IAnsiConsole console, EventsDocument document)
    {
        string? provider = null;
        foreach (EventEntry entry in document.Events)
        {
            if (!entry.Provider.Equals(provider, StringComparison.Ordinal))
            {
                provider = entry.Provider;
                Line(console, string.Create(CultureInfo.InvariantCulture, $"{provider}, build {document.Build}"));
            }

            Line(console, Invariant($"  {entry.Id,5} v{entry.Version} {LevelOf(entry.Level),-8} {entry.Name}{OpcodeOf(entry)}"));
        }

        Line(console, document.Events.Count == 1 ? "1 event" : string.Create(CultureInfo.InvariantCulture, $"{document.Events.Count} events"));
    }

    /// <summary>All about each event: builds, keywords, fields and the names of their values.</summary>
    public static void WriteDescriptions(IAnsiConsole console, EventsDocument document)
    {
        foreach (EventEntry entry in document.Events)
        {
            Line(console, string.Create(CultureInfo.InvariantCulture, $"{entry.Provider} {entry.Id} v{entry.Version} {entry.Name}{OpcodeOf(entry)}"));
            Line(console, Invariant($"  builds {entry.Builds[0]} to {entry.Builds[^1]} ({entry.Builds.Count} known), level {LevelOf(entry.Level)}"));
            if (entry.Keywords.Count > 0)
            {
                Line(console, "  keywords " + string.Join(' ', entry.Keywords));
            }

            foreach (EventFieldEntry field in entry.Fields)
            {
                string length = field.Length is null ? string.Empty : $" [{field.Length}]";
                Line(console, $"    {field.InType,-13} {field.Name}{length}{(field.OutType is null ? string.Empty : $" ({field.OutType})")}");
                WriteValues(console, field);
            }
        }
    }

    /// <summary>What changed between two builds.</summary>
    public static void WriteDiff(IAnsiConsole console, EventsDiffDocument document)
    {
        WriteEvents(console, $"Appeared in {document.To}", document.Appeared);
        WriteEvents(console, $"Vanished since {document.From}", document.Vanished);
        Line(console, string.Create(CultureInfo.InvariantCulture, $"Changed without a new version: {document.Changed.Count}"));
        foreach (EventChangeEntry change in document.Changed)
        {
            Line(console, string.Create(CultureInfo.InvariantCulture, $"  {Short(change.Provider)} {change.Id} v{change.Version} {change.Name}"));
            WriteFields(console, "+", change.AddedFields);
            WriteFields(console, "-", change.RemovedFields);
            if (change.OldLevel != change.NewLevel)
            {
                Line(console, $"    level {LevelOf(change.OldLevel)} -> {LevelOf(change.NewLevel)}");
            }
        }
    }

    static void WriteEvents(IAnsiConsole console, string title, IReadOnlyList<EventEntry> events)
    {
        Line(console, string.Create(CultureInfo.InvariantCulture, $"{title}: {events.Count}"));
        foreach (EventEntry entry in events)
        {
            Line(console, string.Create(CultureInfo.InvariantCulture, $"  {Short(entry.Provider)} {entry.Id} v{entry.Version} {entry.Name}"));
        }
    }

    static void WriteFields(IAnsiConsole console, string sign, IReadOnlyList<string> fields)
    {
        foreach (string field in fields)
        {
            Line(console, $"    {sign} {field}");
        }
    }

    static void WriteValues(IAnsiConsole console, EventFieldEntry field)
    {
        const int MaxValues = 32;
        foreach (KeyValuePair<string, uint> value in (field.Values ?? Enumerable.Empty<KeyValuePair<string, uint>>()).Take(MaxValues))
        {
            Line(console, string.Create(CultureInfo.InvariantCulture, $"      {value.Value,10} {value.Key}"));
        }

        if (field.Values is { Count: > MaxValues })
        {
            Line(console, string.Create(CultureInfo.InvariantCulture, $"      … {field.Values.Count - MaxValues} more (--json has all)"));
        }
    }

    static string Short(string provider) => provider.Replace("Microsoft-Windows-", string.Empty, StringComparison.Ordinal);

    static string LevelOf(int level) => level < Levels.Length ? Levels[level] : level.ToString(CultureInfo.InvariantCulture);

    static string OpcodeOf(EventEntry entry) => entry.Opcode is null ? string.Empty : $" ({entry.Opcode})";

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(SafeText.OneLine(text) + "\n"));
}
