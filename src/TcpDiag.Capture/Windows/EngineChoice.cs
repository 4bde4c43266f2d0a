using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;

namespace TcpDiag.Capture.Windows;

/// <summary>What will record, and why.</summary>
/// <param name="Engine">The engine; null for the recorder of Linux.</param>
/// <param name="Build">Build number of Windows that it is for; 0 on Linux.</param>
/// <param name="Reason">One clause for people.</param>
public sealed record EngineChoice(CaptureEngine? Engine, int Build, string Reason)
{
    /// <summary>Stands for choosing by build.</summary>
    public const string Auto = "auto";

    /// <summary>The recorder of Linux.</summary>
    public const string Linux = "linux";

    // Windows 11 24H2, for plans made on another system.
    const int UsualBuild = 26100;

    /// <summary>Whether the choice was automatic: then another engine may record where this one is in use.</summary>
    public bool IsAuto { get; init; }

    /// <summary>What records where the engine is in use by someone else.</summary>
    /// <param name="settings">What to record.</param>
    /// <returns>netsh, where it supports the settings; null for none, as for an engine chosen by name.</returns>
    public CaptureEngine? Fallback(CaptureSettings settings)
    {
        ArgumentNullException.ThrowIfNull(settings);
        return IsAuto && Engine is PktmonEngine && !settings.WithDrops && !settings.IsSplit ? WindowsEngines.Find("netsh") : null;
    }

    /// <summary>Why an engine records, for its announcement.</summary>
    /// <param name="engine">Its name.</param>
    /// <returns>A clause; null for an engine chosen by name, or one that replaces the chosen one, which is reported separately.</returns>
    public string? WhyOf(string? engine) => IsAuto && string.Equals(engine, Engine?.Name, StringComparison.Ordinal) ? Reason : null;

    /// <summary>Checks whether the engine is in use.</summary>
    /// <param name="machine">The machine it is to record on; the process has the rights to record.</param>
    /// <param name="settings">What to record.</param>
    /// <returns>The choice as it would be made now, and why it would be refused.</returns>
    public (EngineChoice Choice, string? Refusal) On(ICaptureMachine machine, CaptureSettings settings)
    {
        if (Engine is null)
        {
            return (this, null);
        }

        var free = FreeEngine.Find(machine, Engine, Fallback(settings));
        return (this with { Engine = free.Engine, Reason = free.Instead ?? Reason }, free.Refusal);
    }

    /// <summary>Chooses.</summary>
    /// <param name="name">An engine's name, or <see cref="Auto"/>.</param>
    /// <param name="build">Build number of Windows; null for the one this runs on.</param>
    /// <returns>The choice.</returns>
    /// <exception cref="CaptureException">There is no engine of that name, or it needs a later Windows.</exception>
    public static EngineChoice Make(string name, int? build)
    {
        bool isWindows = OperatingSystem.IsWindows();
        if (name is Linux || (name is Auto && !isWindows && build is null))
        {
            return new(null, 0, name is Linux ? "asked for" : "this is not Windows");
        }

        int number = build ?? (isWindows ? Environment.OSVersion.Version.Build : UsualBuild);
        if (name is Auto)
        {
            return number >= PktmonEngine.FirstBuildWithEvents
                ? new(WindowsEngines.Find("pktmon"), number, "from build 20348 on pktmon records packets and events, and filters by port") { IsAuto = true }
                : new(WindowsEngines.Find("netsh"), number, "before build 20348 only netsh records packets and events together") { IsAuto = true };
        }

        return WindowsEngines.Find(name) is { } engine
            ? new(engine, number, "asked for")
            : throw new CaptureException($"there is no engine '{name}'.");
    }
}

/// <summary>The ways to record on Windows.</summary>
public static class WindowsEngines
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<CaptureEngine> All { get; } = [new NetshEngine(), new PktmonEngine(), new EtwEngine()];

    /// <summary>Finds one by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The engine; null when there is none of that name.</returns>
    public static CaptureEngine? Find(string? name) => All.FirstOrDefault(engine => string.Equals(engine.Name, name, StringComparison.Ordinal));
}
