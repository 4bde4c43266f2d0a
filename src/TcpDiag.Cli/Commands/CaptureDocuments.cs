using System;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Capture;
using TcpDiag.Capture.Triggers;
using TcpDiag.Capture.Windows;
using TcpDiag.Report.Json;
using TcpDiag.Wire;

namespace TcpDiag.Cli.Commands;

/// <summary>Turns what a recorder tells into what reports show.</summary>
static class CaptureDocuments
{
    const long UnixEpochTicks = 621_355_968_000_000_000;
    const long NanosecondsPerTick = 100;

    /// <summary>One line that says what will be recorded.</summary>
    /// <param name="settings">The settings.</param>
    /// <param name="file">The file as the user named it.</param>
    /// <param name="engine">What records, where there are several.</param>
    /// <param name="why">Why that records, a clause; null where it was asked for.</param>
    /// <returns>The line.</returns>
    public static string Announce(CaptureSettings settings, string file, string? engine = null, string? why = null)
    {
        string events = !settings.WithEvents ? "no stack events"
            : settings.SampleInterval > TimeSpan.Zero && OperatingSystem.IsLinux() ? FormattableString.Invariant($"stack events, samples every {settings.SampleInterval.TotalMilliseconds} ms")
            : "stack events";
        string by = engine is null ? string.Empty : why is null ? $" with {engine}" : $" with {engine} ({why})";
        string until = settings.Until.Count == 0 ? string.Empty : $"until {string.Join(" or ", settings.Until.Select(Describe))}, ";
        return FormattableString.Invariant(
            $"recording {settings.Match} at {string.Join(", ", settings.Interfaces)}{by}: {settings.SnapLength} bytes of each packet, {events}; ")
            + FormattableString.Invariant($"{until}for {settings.Duration.TotalSeconds} s or {Quantity.Bytes(settings.MaxBytes)} to {file}; Ctrl-C stops");
    }

    static string Describe(TriggerCondition condition) => condition is ProcessChange { IsStart: false } exit && !exit.IsRunning() ? $"{condition} (none runs yet)" : condition.ToString();

    /// <summary>The reason of an end as documents have it.</summary>
    /// <param name="reason">The reason.</param>
    /// <returns>Its name in lower case.</returns>
    public static string NameOf(StopReason reason) => reason.ToString().ToLowerInvariant();

    static bool IsOfLinux(CaptureSummary summary) => summary.Engine is EngineChoice.Linux;

    static DateTimeOffset ToUtc(TraceTime time) => new(UnixEpochTicks + (time.Nanoseconds / NanosecondsPerTick), TimeSpan.Zero);

    /// <summary>The document of a recording.</summary>
    /// <param name="summary">What the recorder tells.</param>
    /// <param name="settings">What was asked for.</param>
    /// <param name="file">The file as the user named it.</param>
    /// <returns>The document.</returns>
    public static CaptureDocument ToDocument(CaptureSummary summary, CaptureSettings settings, string file) => new(
        CaptureDocument.SchemaName,
        file,
        summary.Engine,
        settings.Match.ToString(),
        ToUtc(summary.Started),
        summary.Duration.TotalSeconds,
        NameOf(summary.StopReason),
        summary.Trigger is { } trigger ? new(trigger.Condition, ToUtc(trigger.Time), trigger.What) : null,
        summary.Bytes,
        settings.SnapLength,
        summary.Interfaces.Sum(place => place.Packets),
        summary.Interfaces.Sum(place => place.Dropped),
        [.. summary.Interfaces.Select(place => new CapturedInterfaceEntry(place.Name, place.Packets, place.Dropped))],
        settings.WithEvents ? summary.Events : null,
        settings.WithEvents ? summary.Samples : null,
        settings.WithEvents || !IsOfLinux(summary) ? summary.LostEvents : null,
        IsOfLinux(summary) ? null : summary.LostBuffers,
        summary.OutOfOrder,
        summary.IsWhole,
        summary.Trigger is null && settings.Until.Count > 0 ? [.. summary.Remarks, $"--until has not come true: {string.Join(" or ", settings.Until)}"] : summary.Remarks);
}
