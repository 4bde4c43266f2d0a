using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Doctor.Changes;
using TcpDiag.Platform;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Doctor.Tests.Changes;

/// <summary>Real settings of a kernel, in a namespace.</summary>
[Trait("Needs", "time")]
public sealed class LinuxChangeTests : IDisposable
{
    const int Killed = 128 + 9;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-change-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [RootFact("unshare", "nsenter", "ip", "ethtool", "tc", "sysctl")]
    public void Make_Undo_LeavesEverythingAsItWas()
    {
        using var space = new Namespace();
        foreach ((string setup, SettingChange change, string look, string expected) in (IEnumerable<(string, SettingChange, string, string)>)
            [
                ("sysctl -qw net.ipv4.tcp_rmem='4096 16384 32768'", Sysctl("tcp_rmem", "4096 16384 6291456"), "sysctl -n net.ipv4.tcp_rmem",
                    "4096\t16384\t6291456"),
                ("sysctl -qw net.ipv4.tcp_sack=0", Sysctl("tcp_sack", "1"), "sysctl -n net.ipv4.tcp_sack", "1"),
                ("ethtool -K near0 tso off", Feature("tso"), "ethtool -k near0 | grep ^tcp-segm", "tcp-segmentation-offload: on"),
                ("ethtool -K near0 gso off", Feature("gso"), "ethtool -k near0 | grep generic-segm", "generic-segmentation-offload: on"),
                ("ethtool -K near0 gro off", Feature("gro"), "ethtool -k near0 | grep generic-rec", "generic-receive-offload: on"),
                ("true", Qdisc("pfifo_fast"), "tc qdisc show dev near0 | cut -d' ' -f2", "pfifo_fast"),
                ("tc qdisc replace dev near0 root bfifo limit 5000", Qdisc("pfifo_fast"), "tc qdisc show dev near0 | cut -d' ' -f2", "pfifo_fast"),
                ("tc qdisc replace dev near0 root handle 10: pfifo limit 50", Qdisc("pfifo_fast"), "tc qdisc show dev near0 | cut -d' ' -f2", "pfifo_fast"),
            ])
        {
            space.Run(setup);
            string before = space.All();
            using ChangeJournal journal = ChangeJournal.Create(_folder, _ => null);
            var changer = new SettingChanger(space.Settings, journal, boot: null);
            JournaledChange made = changer.Make(change);
            Assert.Equal(expected, space.Run(look).Trim());
            Assert.Equal(UndoResult.Restored, changer.Undo(made, isForced: false).Result);
            Assert.Equal(before, space.All());
        }
    }

    [RootFact("unshare", "nsenter", "ip", "ethtool", "tc", "sysctl")]
    public void Make_WhatCouldNotBePutBack_IsRefused()
    {
        using var space = new Namespace();
        using ChangeJournal journal = ChangeJournal.Create(_folder, _ => null);
        var changer = new SettingChanger(space.Settings, journal, boot: null);
        space.Run("ethtool -K near0 tx-tcp-segmentation off"); // over IPv4 alone
        space.Run("tc qdisc replace dev near0 root tbf rate 1mbit burst 10kb limit 10kb");
        string before = space.All();
        Assert.Contains("cannot be read in a form that could be put back", Assert.Throws<PlatformException>(() => changer.Make(Feature("tso"))).Message,
            StringComparison.Ordinal);
        Assert.Contains("cannot be read in a form that could be put back", Assert.Throws<PlatformException>(() => changer.Make(Qdisc("pfifo_fast"))).Message,
            StringComparison.Ordinal);
        Assert.Contains("`sysctl -n net.ipv4.tcp_sack", Assert.Throws<PlatformException>(
            () => new SettingChanger(Broken(space), journal, null).Make(Sysctl("tcp_sack", "0"))).Message, StringComparison.Ordinal);
        Assert.Equal(before, space.All());
        Assert.Empty(journal.Open);
    }

    // Before and after each time that something is read or written, and so before and after each line of the journal.
    [RootFact("unshare", "nsenter", "ip", "ethtool", "tc", "sysctl")]
    public void Change_KilledAtEveryMoment_IsUndoneByTheNextStart()
    {
        using var space = new Namespace();
        space.Run("sysctl -qw net.ipv4.tcp_rmem='4096 16384 32768' && ethtool -K near0 gro off");
        string before = space.All();

        // Of each change: read, written, read again, then twice written and read, with a moment before and after; and one before they are kept: 2 × 7 × 2 + 1.
        const int Moments = 29;
        for (int moment = 1; moment <= Moments; moment++)
        {
            Assert.Equal(Killed, Child("change", space, moment));
            Recover(space);
            Assert.Equal(before, space.All());
        }

        Assert.Equal(Killed, Child("change", space, Moments + 1));
        Recover(space);
        Assert.NotEqual(before, space.All()); // what is meant to stay does
        Assert.Equal(134, Child("change", space, Moments + 2)); // and is not made twice: an exception
        using ChangeJournal journal = ChangeJournal.TryOpen(_folder, _ => null)!;
        Assert.All(new SettingChanger(space.Settings, journal, null).UndoAll(_ => true, isForced: false), undone =>
            Assert.Equal(UndoResult.Restored, undone.Result));
        Assert.Equal(before, space.All());
    }

    [RootFact("unshare", "nsenter", "ip", "ethtool", "tc", "sysctl")]
    public void Undo_KilledAtEveryMoment_IsFinishedByTheNextStart()
    {
        using var space = new Namespace();
        space.Run("sysctl -qw net.ipv4.tcp_rmem='4096 16384 32768' && ethtool -K near0 gro off");
        string before = space.All();
        int moment = 0;
        do
        {
            Assert.Equal(Killed, Child("change", space, 29)); // all is made, and not yet kept
            Assert.NotEqual(before, space.All());
            moment++;
            int code = Child("undo", space, moment);
            Assert.Equal(moment <= 12 ? Killed : 0, code); // two changes, each read, written and read again
            Recover(space);
            Assert.Equal(before, space.All());
        }
        while (moment <= 12);
    }

    void Recover(Namespace space)
    {
        using ChangeJournal? journal = ChangeJournal.TryOpen(_folder, _ => null);
        Assert.All(
            journal is null ? [] : new SettingChanger(space.Settings, journal, null).UndoAll(change => !change.IsKept, isForced: false),
            undone => Assert.Equal((UndoResult.Restored, (string?)null), (undone.Result, undone.Detail)));
    }

    int Child(string verb, Namespace space, int moment) => ExternalProgram.TryRun(
        Path.Combine(AppContext.BaseDirectory, "standins"), [verb, space.Path, _folder, FormattableString.Invariant($"{moment}")]).ExitCode;

    static MachineSettings Broken(Namespace space) =>
        new(call => Capture.Linux.LinuxPrograms.Run(new("nsenter",
            [$"--net={space.Path}", call.Program, .. call.Arguments.Select(word => word[0] is '-' ? word : word + ".none")]), Patience.Limit));

    static SettingChange Sysctl(string name, string after) => SettingChange.Of(SettingKind.Sysctl, string.Empty, $"net.ipv4.{name}", "?", after);

    static SettingChange Feature(string name) => SettingChange.Of(SettingKind.Feature, "near0", name, "off", "on");

    static SettingChange Qdisc(string after) => SettingChange.Of(SettingKind.Qdisc, "near0", string.Empty, "?", after);
}
