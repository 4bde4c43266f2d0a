using System;
using TcpDiag.Analysis.Findings;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>Which facts of a snapshot matter, and for which findings.</summary>
public sealed class MachineSummaryTests
{
    [Theory]
    [InlineData("sysctls", "", "net.ipv4.tcp_timestamps", "0", "timestamps are off (net.ipv4.tcp_timestamps = 0)", FindingIds.TimestampsStripped)]
    [InlineData("sysctls", "", "net.ipv4.tcp_moderate_rcvbuf", "0", "the receive buffer does not grow by itself (net.ipv4.tcp_moderate_rcvbuf = 0)",
        FindingIds.ReceiveWindowLimited)]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "0", "autotuning of the receive window is disabled (template Internet)",
        FindingIds.ReceiveWindowLimited)]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "2", "autotuning of the receive window is restricted (template Internet)",
        FindingIds.ReceiveWindowHalved)]
    [InlineData("tcp-registry", "", "SackOpts", "0", "SACK is off (SackOpts = 0)", FindingIds.SackOff)]
    [InlineData("afd-registry", "", "DefaultSendWindow", "8192", "the send buffer is set to 8192 bytes for all sockets (DefaultSendWindow)",
        FindingIds.SendBufferLimited)]
    [InlineData("bindings", "Ethernet 2 INSECURE_NPCAP", "Enabled", "true", "a driver that is not of Windows sits in the path: INSECURE_NPCAP at Ethernet 2",
        FindingIds.PathReordering)]
    [InlineData("interfaces", "eth0", "flow-director-atr", "on", "Flow Director ATR is on at eth0, its table was flushed 0 times",
        FindingIds.CwndLimitedByReordering)]
    public void Of_UnusualSetting_IsNotedWithWhatItBearsOn(string section, string subject, string name, string value, string what, string id)
    {
        MachineNote note = Assert.Single(MachineSummary.Of(Snapshot(section, new SnapshotFact(subject, name, value))).Notes);

        Assert.Equal(what, note.What);
        Assert.Contains(id, note.BearsOn);
    }

    [Theory]
    [InlineData("sysctls", "", "net.ipv4.tcp_timestamps", "1")]
    [InlineData("sysctls", "", "net.ipv4.tcp_fastopen", "0")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "3")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "")]
    [InlineData("bindings", "Ethernet ms_tcpip", "Enabled", "true")]
    [InlineData("bindings", "Ethernet INSECURE_NPCAP", "Enabled", "false")]
    [InlineData("bindings", "nothing", "Enabled", "true")]
    [InlineData("interfaces", "eth0", "flow-director-atr", "off")]
    [InlineData("elsewhere", "", "net.ipv4.tcp_timestamps", "0")]
    public void Of_UsualSetting_IsNotNoted(string section, string subject, string name, string value) =>
        Assert.Empty(MachineSummary.Of(Snapshot(section, new SnapshotFact(subject, name, value))).Notes);

    [Fact]
    public void Of_FlowDirector_CountsTheFlushesOfItsOwnInterface()
    {
        MachineSummary machine = MachineSummary.Of(Snapshot(
            "interfaces",
            new SnapshotFact("eth0", "flow-director-atr", "on"),
            new SnapshotFact("eth0", "stat:port.fdir_flush_cnt", "1204"),
            new SnapshotFact("eth0", "stat:port.fdir_atr_match", "99"),
            new SnapshotFact("eth1", "stat:port.fdir_flush_cnt", "7")));

        Assert.Equal("Flow Director ATR is on at eth0, its table was flushed 1204 times", Assert.Single(machine.Notes).What);
    }

    [Fact]
    public void Explain_FindingItBearsOn_GetsEvidenceAndAdviceFirst()
    {
        MachineSummary machine = MachineSummary.Of(Snapshot("interfaces", new SnapshotFact("eth0", "flow-director-atr", "on")));
        Finding[] findings = [Of(FindingIds.PathReordering), Of(FindingIds.AppLimited)];

        var explained = machine.Explain(findings);

        Assert.Equal(("setting of the recorded machine", machine.Notes[0].What), (explained[0].Evidence[^1].Measure, explained[0].Evidence[^1].Value));
        Assert.Equal(["On the recorded machine: ethtool --set-priv-flags eth0 flow-director-atr off, then measure again.", "wait"], explained[0].Advice);
        Assert.Same(findings[1], explained[1]);
    }

    [Fact]
    public void Of_SameSettingTwice_IsNotedOnce()
    {
        var fact = new SnapshotFact("", "SackOpts", "0");
        Assert.Single(MachineSummary.Of(Snapshot("tcp-registry", fact, fact)).Notes);
    }

    static Finding Of(string id) => new(id, null, null, FindingSeverity.Note, null, 1, static () => new FindingText($"title").Because($"cause").Advise("wait"));

    static SystemSnapshot Snapshot(string section, params SnapshotFact[] facts) =>
        new(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "Linux 6", [new(section, "here", 1, null, facts)]);
}
