using System;
using System.IO;
using TcpDiag.Capture.Linux;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>How settings of this machine are changed, and where it is noted.</summary>
sealed class ChangedMachine : IDisposable
{
    const string BootFile = "/proc/sys/kernel/random/boot_id";

    static readonly TimeSpan LinuxLimit = TimeSpan.FromSeconds(10);
    static readonly TimeSpan WindowsLimit = TimeSpan.FromSeconds(60); // PowerShell takes long to start on a slow machine

    readonly ChangeJournal _journal;

    ChangedMachine(ChangeJournal journal, IMachineSettings settings)
    {
        _journal = journal;

        // Linux forgets settings when it starts; Windows keeps them.
        Changer = new(settings, journal, File.Exists(BootFile) ? File.ReadAllText(BootFile).Trim() : null);
    }

    /// <summary>Makes changes and takes them back.</summary>
    public SettingChanger Changer { get; }

    /// <summary>Opens the machine to change it.</summary>
    /// <exception cref="PlatformException">Another process is changing it, or there is nothing that could be changed.</exception>
    public static ChangedMachine Open(Surroundings surroundings)
    {
        string folder = surroundings.StateRoot() ?? throw new PlatformException("settings are changed on Linux and Windows only");
        (IMachineSettings settings, Func<string, string?> whyNotPrivate) = Of(surroundings);
        return new(ChangeJournal.Create(folder, whyNotPrivate), settings);
    }

    /// <summary>Opens the machine where something was changed.</summary>
    /// <returns>Null where nothing was, or another process is at it.</returns>
    public static ChangedMachine? TryOpenChanged(Surroundings surroundings)
    {
        if (surroundings.StateRoot() is not { } folder || !Directory.Exists(folder))
        {
            return null;
        }

        (IMachineSettings settings, Func<string, string?> whyNotPrivate) = Of(surroundings);
        return ChangeJournal.TryOpen(folder, whyNotPrivate) is { } journal ? new(journal, settings) : null;
    }

    /// <inheritdoc/>
    public void Dispose() => _journal.Dispose();

    static (IMachineSettings Settings, Func<string, string?> WhyNotPrivate) Of(Surroundings surroundings)
    {
        if (OperatingSystem.IsLinux())
        {
            return (new MachineSettings(call => LinuxPrograms.Run(call, LinuxLimit)), PrivateFolder.WhyNot);
        }

        ICaptureMachine machine = surroundings.OpenMachine();
        return (new MachineSettings(call => machine.Run(call, WindowsLimit)), machine.WhyNotPrivate);
    }
}
