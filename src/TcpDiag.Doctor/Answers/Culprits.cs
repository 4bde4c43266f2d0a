using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Findings;

namespace TcpDiag.Doctor.Answers;

/// <summary>Whose matter a finding is.</summary>
enum Culprit
{
    /// <summary>Nobody's: it describes what is as it must be.</summary>
    Nobody,

    /// <summary>The end that sends the data concerned.</summary>
    Sender,

    /// <summary>The end that receives it.</summary>
    Receiver,

    /// <summary>The end that opened the connection.</summary>
    Client,

    /// <summary>The other one.</summary>
    Server,

    /// <summary>What lies between.</summary>
    Path,

    /// <summary>One capture does not show it.</summary>
    Unclear,

    /// <summary>The recording itself.</summary>
    Recording,
}

/// <summary>Whose matter each finding is.</summary>
static class Culprits
{
    /// <summary>By the id of the finding.</summary>
    public static IReadOnlyDictionary<string, Culprit> ById { get; } = new Dictionary<string, Culprit>(StringComparer.Ordinal)
    {
        [FindingIds.AppLimited] = Culprit.Sender,
        [FindingIds.SlowAnswers] = Culprit.Server,
        [FindingIds.WindowOrBuffer] = Culprit.Unclear,
        [FindingIds.NagleDelayedAck] = Culprit.Sender,
        [FindingIds.SendBufferLimited] = Culprit.Sender,
        [FindingIds.PathFull] = Culprit.Nobody,
        [FindingIds.CwndLimited] = Culprit.Nobody,
        [FindingIds.EcnMarks] = Culprit.Path,
        [FindingIds.CwndLimitedByReordering] = Culprit.Path,
        [FindingIds.ReceiveWindowLimited] = Culprit.Receiver,
        [FindingIds.HostLimited] = Culprit.Receiver, // of a sender it is never more than a note
        [FindingIds.ReceiveWindowHalved] = Culprit.Receiver,
        [FindingIds.ZeroWindow] = Culprit.Receiver,
        [FindingIds.PathReordering] = Culprit.Path,
        [FindingIds.PathLoss] = Culprit.Path,
        [FindingIds.Policer] = Culprit.Path,
        [FindingIds.SpuriousRetransmissions] = Culprit.Path,
        [FindingIds.DuplicatedByNetwork] = Culprit.Path,
        [FindingIds.DsackIgnored] = Culprit.Sender,
        [FindingIds.SpuriousDupackPingpong] = Culprit.Sender,
        [FindingIds.ReassemblyLimit] = Culprit.Receiver,
        [FindingIds.RtoStalls] = Culprit.Path,
        [FindingIds.TailLoss] = Culprit.Path,
        [FindingIds.LostRetransmissions] = Culprit.Path,
        [FindingIds.SynRetransmitted] = Culprit.Unclear,
        [FindingIds.LateSynAck] = Culprit.Server,
        [FindingIds.LateFirstRequest] = Culprit.Client,
        [FindingIds.SplitConnection] = Culprit.Path,
        [FindingIds.NameLookupDelay] = Culprit.Path,
        [FindingIds.ApplicationTimeout] = Culprit.Receiver, // who gave up while the other was still sending
        [FindingIds.DeadPeer] = Culprit.Unclear,
        [FindingIds.ResetByPeer] = Culprit.Unclear,
        [FindingIds.WindowScalingOff] = Culprit.Unclear,
        [FindingIds.SackOff] = Culprit.Unclear,
        [FindingIds.TimestampsStripped] = Culprit.Unclear,
        [FindingIds.MssClamped] = Culprit.Path,
        [FindingIds.MtuBlackHole] = Culprit.Path,
        [FindingIds.Bufferbloat] = Culprit.Path,
        [FindingIds.IdleRestart] = Culprit.Sender,
        [FindingIds.SlowStart] = Culprit.Nobody,
        [FindingIds.SlowStartLeftEarly] = Culprit.Path,
        [FindingIds.PortReuse] = Culprit.Client,
        [FindingIds.EvidenceDisagrees] = Culprit.Recording,
        [FindingIds.ClockStep] = Culprit.Recording,
        [FindingIds.OneSidedCapture] = Culprit.Recording,
        [FindingIds.CaptureIncomplete] = Culprit.Recording,
    };
}
