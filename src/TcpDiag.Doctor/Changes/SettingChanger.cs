using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Platform;

namespace TcpDiag.Doctor.Changes;

/// <summary>What became of a change that was to be taken back.</summary>
public enum UndoResult
{
    /// <summary>The setting has the value that it had before.</summary>
    Restored,

    /// <summary>The setting has neither the value from before nor the one it was given: someone changed it since, and it stays.</summary>
    ChangedSince,

    /// <summary>It cannot be read or written.</summary>
    Failed,
}

/// <summary>A change that was to be taken back.</summary>
/// <param name="Change">The change.</param>
/// <param name="Result">What became of it.</param>
/// <param name="Detail">The value that the setting has, or why it failed; null where it is restored.</param>
public sealed record UndoneChange(SettingChange Change, UndoResult Result, string? Detail);

/// <summary>
/// Makes changes that can be taken back: the value before is read and on the disk before anything is written, what was written is read again, and taking back
/// restores exactly what was read, unless someone else changed it meanwhile.
/// </summary>
/// <param name="settings">The settings of the machine.</param>
/// <param name="journal">Holds what was changed.</param>
/// <param name="boot">The start of the system, as long as changes last; null where they outlive it.</param>
public sealed class SettingChanger(IMachineSettings settings, ChangeJournal journal, string? boot)
{
    /// <summary>Makes a change.</summary>
    /// <param name="wanted">The change; what its setting had before is read anew.</param>
    /// <returns>The change as it was made.</returns>
    /// <exception cref="PlatformException">It cannot be made, or not be taken back; the setting is as it was.</exception>
    public JournaledChange Make(SettingChange wanted)
    {
        ArgumentNullException.ThrowIfNull(wanted);
        Require(wanted.Setting, wanted.After);
        string? before = settings.Read(wanted.Setting);
        Require(wanted.Setting, before);
        if (IsSame(before, wanted.After))
        {
            throw new PlatformException($"{MachineSettings.Name(wanted.Setting)} is {wanted.After ?? "not set"} already");
        }

        JournaledChange made = journal.Begin(wanted with { Before = before }, boot);
        try
        {
            Set(made, isOn: true);
            return made;
        }
        catch (PlatformException)
        {
            Undo(made, isForced: false);
            throw;
        }
    }

    /// <summary>Gives the setting of a change the value after it, or that before it, to compare.</summary>
    /// <exception cref="PlatformException">It did not take.</exception>
    public void Set(JournaledChange change, bool isOn)
    {
        ArgumentNullException.ThrowIfNull(change);
        string? value = isOn ? change.Change.After : change.Change.Before;
        settings.Write(change.Change.Setting, value);
        if (settings.Read(change.Change.Setting) is var now && !IsSame(now, value))
        {
            throw new PlatformException($"`{change.Change.Setting.Command(value)}` did not take: it is {now ?? "not set"}");
        }
    }

    /// <summary>Lets changes stay.</summary>
    public void Keep(IEnumerable<JournaledChange> changes) => journal.Keep(changes);

    /// <summary>Takes changes back, the last one first. One that fails keeps no other from it.</summary>
    /// <param name="isWanted">Which ones.</param>
    /// <param name="isForced">Whether a value that someone set since is overwritten.</param>
    public IReadOnlyList<UndoneChange> UndoAll(Func<JournaledChange, bool> isWanted, bool isForced) =>
        [.. journal.Open.Where(isWanted).Reverse().ToList().Select(change => Undo(change, isForced))];

    /// <summary>Takes a change back.</summary>
    /// <param name="change">The change.</param>
    /// <param name="isForced">Whether a value that someone set since is overwritten.</param>
    public UndoneChange Undo(JournaledChange change, bool isForced)
    {
        ArgumentNullException.ThrowIfNull(change);
        try
        {
            // What the system forgets when it starts is not there any more.
            bool isGone = change.Boot is not null && !string.Equals(change.Boot, boot, StringComparison.Ordinal);
            string? now = isGone ? change.Change.Before : settings.Read(change.Change.Setting);
            if (!IsSame(now, change.Change.Before))
            {
                if (!isForced && !IsSame(now, change.Change.After))
                {
                    return new(change.Change, UndoResult.ChangedSince, now ?? "-");
                }

                Set(change, isOn: false);
            }

            journal.Undone(change);
            return new(change.Change, UndoResult.Restored, null);
        }
        catch (PlatformException exception)
        {
            return new(change.Change, UndoResult.Failed, exception.Message);
        }
    }

    static void Require(MachineSetting setting, string? value)
    {
        if (!AppliedSettings.Allow(setting, value))
        {
            throw new PlatformException($"{MachineSettings.Name(setting)} = {value ?? "(not set)"} is not a value that could be put back");
        }
    }

    static bool IsSame(string? one, string? other) => string.Equals(one, other, StringComparison.Ordinal);
}
