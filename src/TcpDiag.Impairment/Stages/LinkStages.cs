using System;
using System.Runtime.InteropServices;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>One impairment of a segment. Packets arrive in the order of <see cref="LinkPacket.DueAt"/> as far as earlier stages preserve it.</summary>
interface ILinkStage
{
    /// <summary>Handles a packet that reaches the stage at its DueAt; may move that instant or set marks.</summary>
    /// <returns>What was done, for the log; after a drop the packet is gone.</returns>
    ImpairmentAction Process(ref LinkPacket packet);
}

/// <summary>Selects packets and the bit to flip in each; the bit has its own stream so that it does not affect the selection.</summary>
sealed class CorruptionStage(Chance chance, Xoshiro256 bits) : ILinkStage
{
    Xoshiro256 _bits = bits;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        if (!chance.Next())
        {
            return ImpairmentAction.None;
        }

        packet.Marks |= PacketMarks.Corrupt;
        packet.CorruptBit = (uint)(_bits.NextBits() >> 32);
        return ImpairmentAction.Corrupt;
    }
}

/// <summary>Selects packets to send twice; the segment makes the copy, which leaves right behind its original.</summary>
sealed class DuplicationStage(Chance chance) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) => chance.Next() ? ImpairmentAction.Duplicate : ImpairmentAction.None;
}

sealed class BlackoutStage(BlackoutWindow window, TraceTime start) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        window.Contains(packet.DueAt - start) ? ImpairmentAction.DropBlackout : ImpairmentAction.None;
}

/// <summary>A window of time in which every packet is dropped, once or periodically.</summary>
/// <param name="StartNanos">Nanoseconds from the start of the run to the first window.</param>
/// <param name="LengthNanos">Nanoseconds the window lasts.</param>
/// <param name="PeriodNanos">Nanoseconds from one window's start to the next one's; 0 for a single window.</param>
public readonly record struct BlackoutWindow(long StartNanos, long LengthNanos, long PeriodNanos = 0)
{
    /// <summary>Whether an instant lies in a window, its start included and its end excluded.</summary>
    /// <param name="sinceStartNanos">Nanoseconds since the start of the run.</param>
    /// <returns>True inside.</returns>
    public bool Contains(long sinceStartNanos)
    {
        long since = sinceStartNanos - StartNanos;
        if (since < 0)
        {
            return false;
        }

        return (PeriodNanos > 0 ? since % PeriodNanos : since) < LengthNanos;
    }
}

/// <summary>Adds the propagation delay and its jitter. Unless jitter may reorder, packets keep their order, also where a shorter delay follows a longer
/// one.</summary>
sealed class PropagationStage(long delayNanos, IJitter? jitter, LastDeparture? last) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime sent = packet.DueAt;
        TraceTime due = sent + (jitter is null ? delayNanos : Math.Max(0, delayNanos + jitter.Next(sent)));
        if (last is not null)
        {
            due = due < last.Time ? last.Time : due;
            last.Time = due;
        }

        packet.DueAt = due;
        packet.PropagationNanos += due - sent;
        return ImpairmentAction.None;
    }
}

/// <summary>When the packet before leaves: shared by all stages of a segment that keep the order.</summary>
sealed class LastDeparture
{
    public TraceTime Time { get; set; } = TraceTime.Earliest;
}

/// <summary>A stage whose settings change during the run: a packet goes through the one of the phase in which it arrives here.</summary>
sealed class PhasedStage(StagePhase[] phases) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet)
    {
        int at = phases.Length - 1;
        while (at > 0 && packet.DueAt < phases[at].From)
        {
            at--;
        }

        return phases[at].Stage?.Process(ref packet) ?? ImpairmentAction.None;
    }
}

/// <summary>One phase of a stage.</summary>
/// <param name="From">When it begins; the first holds before as well.</param>
/// <param name="Stage">What acts then; null for nothing.</param>
[StructLayout(LayoutKind.Auto)]
readonly record struct StagePhase(TraceTime From, ILinkStage? Stage);
